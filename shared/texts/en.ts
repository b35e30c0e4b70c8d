import type { Texts } from "./index.ts";
import { momentIn } from "./sales/dates.ts";

const packs = (n: number) => `${n} sticker ${n === 1 ? "pack" : "packs"}`;
const files = (n: number) => `${n} ${n === 1 ? "file" : "files"}`;

const moment = momentIn("en-GB");

export const en: Texts = {
  self: "English",
  consent: {
    ask: (name, hours, companies) =>
      `Hi${name ? `, <b>${name}</b>` : ""}! 👋\n\nWe will turn your selfie into a pack of Telegram stickers.\n\n${companies.length > 0 ? `To draw them, your photo is sent to an AI service (${companies.join(" or ")}).` : "They are drawn right here in the booth; your photo goes nowhere else."} We keep it for no more than ${hours} h and then delete it; you can do so earlier with /delete.\n\nDo you agree to your photo being processed?`,
    yes: "✅ I agree",
    no: "No, thank you",
    agreed: "Thank you! ✨ Now choose an outfit on the booth’s screen.",
    declined:
      "All right, no photo will be taken. If you change your mind, tap Start on the booth’s screen and scan the new code.",
    closed: {
      agreed: "✅ You agreed to your photo being processed.",
      declined: "You did not agree, so no photo will be taken.",
      timeout:
        "⌛ Time ran out and this visit is over. To start again, tap Start on the booth’s screen and scan the new code.",
      reset: "This visit is over. To start again, tap Start on the booth’s screen and scan the new code.",
    },
  },
  link: {
    used: "Somebody else has already used this code. Tap Start on the booth’s screen and scan the new one.",
    over: "This code is no longer valid. Tap Start on the booth’s screen and scan the new one.",
    unknown: "I do not know this code. Please scan it again from the booth’s screen.",
  },
  start:
    "Hi! 👋 I turn selfies into Telegram stickers.\n\nGo to the booth, tap Start on its screen and scan the QR code.",
  help: "How it works:\n1. Tap Start on the booth’s screen and scan the QR code.\n2. Agree to the photo here and choose an outfit on the screen.\n3. Take a selfie. In about a minute the stickers arrive here.\n\n/packs – your sticker packs\n/language – change the language\n/privacy – what we keep and for how long\n/delete – erase your photos and data",
  privacy: (hours, companies) =>
    `<b>What we keep</b>\n• Your photo and the drawn stickers: up to ${hours} h, then they are deleted.\n• Your Telegram ID (not your phone number), first name and language: so that we can send you the pack.\n• The list of your packs: so that /packs can show it.\n\n${companies.length > 0 ? `The photo goes to ${companies.join(" or ")} for drawing and to nobody else.` : "The photo is drawn in the booth and goes to nobody."} The finished pack lives in Telegram, and anyone with its link can open it.\n\nErase everything: /delete`,
  language: { ask: "Which language shall we speak?", set: "We speak English now." },
  packs: {
    none: "You have no packs yet. Come to the booth!",
    list: (n) => `You have ${packs(n)}:`,
    pack: (outfit = "Pack", ...when) => `${outfit} · ${moment(...when)}`,
  },
  erase: {
    ask: "What shall I erase? This cannot be undone.",
    data: "Photos and data",
    packs: "Photos, data and packs",
    keep: "Nothing",
    kept: "Nothing was erased.",
    done: (f, p, busy) =>
      `Erased: ${files(f)} (photos and drawings), your name and language. Records of your visits stay, with no link to you.${p > 0 ? ` ${packs(p)} will vanish from Telegram within a minute.` : ""}${busy > 0 ? " The pack being made was stopped." : ""}\n\nIf you write to me again, we start anew.`,
  },
  where: {
    nothing: "To get stickers, go to the booth, tap Start on its screen and scan the QR code.",
    linked: "Please answer the question above: may we process your photo?",
    consented: "Choose an outfit on the booth’s screen.",
    template_chosen: "Take a selfie at the booth, or send me one here.",
    photo_taken: "Your stickers are being made. They will arrive here soon.",
  },
  photo: {
    taken: "Got it! 🎨 Generating your stickers… It takes about a minute.",
    takenQueued: (minutes) =>
      `Got it! 🎨 Generating your stickers… There is a queue, so it takes about ${minutes} minutes.`,
    notNow: "I can only take a photo during a visit. Tap Start on the booth’s screen and scan the QR code.",
    chooseFirst: "First choose an outfit on the booth’s screen, then send the photo.",
    unreadable: "I cannot open this picture. Please send another photo.",
    tooLarge: "This picture is too large. Please send it as a photo, not as a file.",
    tooSlow: "I could not fetch this photo from Telegram. Please send it once more.",
    onlyPhotos: "I need a photo: take a selfie and send it here.",
  },
  packLimit: (n) => `You have already made ${packs(n)} today, and that is the limit. Come back tomorrow!`,
  maintenance: "The booth is taking a short break. Please come back a little later.",
  retake: {
    no_face: "I cannot find a face in the photo. Look into the camera and take another one, or send a selfie here.",
    many_faces: "There are several people in the photo. Please take one of you alone, or send it here.",
    too_dark: "The photo is too dark. Turn to the light and take another one, or send it here.",
    blurred: "The photo is blurred. Hold still and take another one, or send it here.",
    face_hidden: "Your face is partly hidden. Take off what covers it and take another one, or send it here.",
    not_a_photo: "This does not look like a photo of a person. Please take a selfie, or send one here.",
  },
  failed: {
    refused:
      "The artist refused to draw this photo: its safety rules did not let it through. Try another photo: tap Start at the booth again.",
    bad_sheet:
      "I am sorry, the stickers did not come out well, and we do not hand out bad ones. Please try again at the booth; this visit does not count.",
    providers_down:
      "I am sorry, the drawing service does not answer. The operators know. Please try again later; this visit does not count.",
    worker_died:
      "I am sorry, something went wrong while drawing. The operators know. Please try again at the booth; this visit does not count.",
    pack_refused:
      "The stickers are ready, but Telegram does not accept the pack. The operators know and will try to fix it.",
    photo_gone: "Your photo is no longer here, so there is nothing to draw from. Please start again at the booth.",
    cancelled: "The operator stopped this pack. Please ask at the booth.",
  },
  pack: {
    title: (name) => (name ? `${name}’s stickers` : "My stickers"),
    ready: (n) => `🎉 Your sticker pack is ready: ${n} stickers!`,
    add: "Add to Telegram",
  },
  commands: {
    start: "How to get stickers",
    packs: "My sticker packs",
    language: "Language",
    privacy: "What we keep",
    delete: "Erase my data",
    help: "Help",
  },
};
