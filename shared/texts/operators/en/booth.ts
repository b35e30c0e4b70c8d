/** English: the booth as it is, and all that can be wrong with it. */

import { because } from "../because.ts";
import type { BoothTexts } from "../types.ts";

const packs = (n: number) => `${n} ${n === 1 ? "pack waits" : "packs wait"}`;
const another = "The guest was asked for another photo.";
const again = "The guest may start again at the kiosk.";

export const booth: BoothTexts = {
  seconds: (n) => `${n} s`,
  minutes: (n) => `${n} min`,
  hours: (n) => `${n} h`,
  guest: "a guest",
  ready: "All is well: the booth is ready for its first guest today.",
  noKioskYet: {
    what: "The booth is ready for its first guest today, but no kiosk has connected yet.",
    todo: "Open the kiosk page on a tablet.",
  },
  served: (n) => `All is well: ${n} ${n === 1 ? "guest has" : "guests have"} got stickers today.`,
  nobody: "Nobody is at the booth now.",
  nothingToDo: "Nothing to do.",
  artists: {
    what: "No artist can draw: AI_PROVIDERS names none that has its key.",
    todo: "Set GEMINI_API_KEY or OPENAI_API_KEY on the server and restart both services, or every pack will fail.",
    ending: "An artist is configured again.",
  },
  botDown: (ago, paused) => ({
    what: `The bot is not running. ${ago === null ? "It has never run." : `Its last sign of life was ${ago} ago.`}`,
    todo: `On the server: systemctl restart sticker-bot.${paused ? "" : " Until then pause the booth."}`,
    ending: "",
  }),
  deaf: (silentFor) => ({
    what: `Telegram has not answered for ${silentFor ?? "as long as the bot runs"}: guests cannot start, nothing is delivered.`,
    todo: "Check the server's network. If another program uses the same bot, stop it.",
    ending: "Telegram answers again.",
  }),
  loop: (name, error) => ({
    what: `The bot's part “${name}”${error === null ? " has stood still." : ` fails: ${error}`}`,
    todo: "Look at the bot's log on the server (journalctl -u sticker-bot); restart sticker-bot if it does not mend itself.",
    ending: `The bot's part “${name}” works again.`,
  }),
  budgetUsed: (limit, queued) => ({
    what: `Today's AI budget of ${limit} is used up: nothing is drawn.${queued > 0 ? ` ${packs(queued)}.` : ""}`,
    todo: "Raise it for today: on the operators' page, or with /budget and an amount in Telegram.",
    ending: "There is money for today again: the queue goes on.",
  }),
  budgetWarning: (percent, spent, limit) => ({
    what: `${percent} % of today's AI budget is used: ${spent} of ${limit}.`,
    todo: "At 100 % the queue waits. Raise it for today if the evening is long.",
    ending: "",
  }),
  queue: (count, first) => ({
    what: `Guests are waiting long: ${count} in the queue, the first for ${first}.`,
    todo: "Look at Packs: are the artists slow or failing? Pause new visits until it is short again.",
    ending: "The queue is short again.",
  }),
  waiting: (what, count, { pack, guest, tries }) => {
    const whom = { telegram: "waiting for Telegram", artist: "waiting for the artists", retry: "tried again" }[what];
    const who = `pack ${pack} (${guest})`;
    const why = what === "retry" ? " after an error" : "";
    return {
      what:
        count === 1
          ? `P${who.slice(1)} is ${whom}${why}, ${tries}.`
          : `${count} packs are ${whom}${why}; the first, ${who}: ${tries}.`,
      todo: {
        telegram:
          "It is tried again by itself; tell the guest that it takes longer. If it goes on, check the server's network.",
        artist: "They are asked again by themselves. If it goes on, check keys, balance and the network.",
        retry: "Nothing to do yet. If it comes again, look at the bot's log on the server (journalctl -u sticker-bot).",
      }[what],
      ending: {
        telegram: "No pack waits for Telegram any more.",
        artist: "No pack waits for the artists any more.",
        retry: "No pack is stuck at an error any more.",
      }[what],
    };
  },
  tries: (attempt, next) => `attempt ${attempt}, ${next === null ? "right now" : `next in ${next}`}`,
  slow: (count, { pack, guest, age }) => ({
    what:
      count === 1
        ? `Pack ${pack} (${guest}) has been in the making for ${age}.`
        : `${count} packs take long; the first, pack ${pack} (${guest}), has been in the making for ${age}.`,
    todo: "Look at its story under Packs: it says which step takes so long.",
    ending: "No pack takes long any more.",
  }),
  chatPhotos: (count) => ({
    what: `${count === 1 ? "A photo that a guest sent in the chat" : `${count} photos that guests sent in the chat`} cannot be fetched from Telegram yet.`,
    todo: "It is tried again by itself a few times; then the guest is asked to send it once more.",
    ending: "",
  }),
  noStickers: (name, pack, why) => ({
    what: `${name ?? "One guest"} got no stickers (pack ${pack}): ${why ?? "it failed"}.`,
    todo: "",
  }),
  manyFailed: (count, most) => ({
    what: `${count} guests got no stickers today${most ? ", more than got some" : ""}.`,
    todo: "Open Packs, see why, and retry.",
  }),
  paused: (reason) => ({
    what: `The booth is paused${because(reason)}. New guests are asked to come back later.`,
    todo: "Open it again when you are ready: on the operators' page, or with /resume in Telegram.",
  }),
  kiosksSilent: (count) => ({
    what: `All ${count} kiosks are silent.`,
    todo: "Is the hall's network down, or the server's api? Open the kiosk's address on your phone to see.",
    ending: "The kiosks are back.",
  }),
  kioskSilent: (id, silentFor) => ({
    what: `Kiosk ${id} has been silent for ${silentFor}.`,
    todo: "Go there: is the tablet on, and is it online? If you put it away, take it off the list on the operators' page, under Now.",
    ending: `Kiosk ${id} is back.`,
  }),
  names: (names, more) => `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
  many: {
    silent: (count, who) => ({
      what: `${count} kiosks are silent: ${who}.`,
      todo: "Go there: are the tablets on, and online? Take those that you put away off the list on the operators' page, under Now.",
      ending: "The kiosks are back.",
    }),
    camera: (count, who) => ({
      what: `${count} kiosks have no picture from their cameras: ${who}.`,
      todo: "Go there: allow the camera, close other apps, or reload the page. Guests may send a selfie in the chat meanwhile.",
      ending: "The kiosks' cameras work again.",
    }),
    battery: (count, who) => ({
      what: `${count} kiosks are low on battery and do not charge: ${who}.`,
      todo: "Plug them in.",
      ending: "",
    }),
    awake: (count, who) => ({
      what: `${count} kiosks cannot keep their screens awake: ${who}.`,
      todo: "Set the tablets' screen timeout to never.",
      ending: "",
    }),
  },
  camera: (id, state) => ({
    what: `Kiosk ${id} has no picture from its camera (${state}).`,
    todo: "Go there: allow the camera, close other apps, or reload the page. Guests may send a selfie in the chat meanwhile.",
    ending: `The camera of kiosk ${id} works again.`,
  }),
  battery: (id, percent) => ({
    what: `Kiosk ${id} has ${percent} % of battery left and does not charge.`,
    todo: "Plug it in.",
    ending: "",
  }),
  awake: (id) => ({
    what: `Kiosk ${id} cannot keep its screen awake.`,
    todo: "Set the tablet's screen timeout to never.",
    ending: "",
  }),
  messages: (count, first) => ({
    what: `${count} ${count === 1 ? "message waits" : "messages wait"} for Telegram, the first for ${first}.`,
    todo: "They are tried again by themselves. If it goes on, look at the bot's log on the server (journalctl -u sticker-bot).",
    ending: "",
  }),
  leads: (count, first, hasGroup) => ({
    what: `${count} ${count === 1 ? "lead waits" : "leads wait"} for the sales group, the first for ${first}.`,
    todo: hasGroup
      ? "They are safe and listed under Leads. Check that the bot may write in the sales group."
      : "They are safe and listed under Leads. Set LEADS_CHAT_ID on the server to send them to a group.",
    ending: "",
  }),
  disk: (megabytes) => ({
    what: `The server's disk is nearly full: ${megabytes} MB are left.`,
    todo: "Make room on the server; photos cannot be stored without it.",
    ending: "The server's disk has room again.",
  }),
  backup: (age) => ({
    what: age === null ? "There is no backup yet." : `The last backup is ${age} old.`,
    todo: "Look at sticker-backup on the server, or run there: booth backup.",
    ending: "There is a fresh backup again.",
  }),
  cameras: {
    blocked: "blocked",
    busy: "busy",
    missing: "missing",
    frozen: "frozen",
    black: "black",
    error: "error",
  },
  problems: {
    refused: {
      what: "the artist's safety rules refused the photo",
      todo: "Ask the guest for another photo; a retry is refused again.",
    },
    bad_sheet: { what: "three drawings in a row came out badly", todo: "Retry: it is drawn anew." },
    providers_down: { what: "no artist answered", todo: "Check keys, balance and the network, then retry." },
    worker_died: {
      what: "our software failed or crashed several times in a row",
      todo: "Retry once: it goes on from the last finished step. If it fails again, ask for another photo and look at the bot's log on the server (journalctl -u sticker-bot).",
    },
    pack_refused: {
      what: "Telegram did not take the sticker set",
      todo: "Retry; the finished stickers are used again.",
    },
    photo_gone: { what: "the photo is no longer on disk", todo: "The guest has to come to the kiosk again." },
    cancelled: { what: "an operator cancelled it", todo: again },
    erased: { what: "the guest erased their data", todo: "Nothing to do." },
    no_face: { what: "no face was found in the selfie", todo: another },
    many_faces: { what: "several people were in the selfie", todo: another },
    too_dark: { what: "the selfie was too dark", todo: `${another} Is there light at the kiosk?` },
    blurred: { what: "the selfie was blurred", todo: `${another} Is the camera clean?` },
    face_hidden: { what: "the face was hidden", todo: another },
    not_a_photo: { what: "the picture showed no person", todo: another },
    timeout: { what: "the visit ran out of time", todo: again },
    reset: { what: "the visit was ended at the kiosk or by a new one", todo: again },
    declined: { what: "the guest did not agree to the photo", todo: "Nothing to do." },
    pack_limit: {
      what: "the guest has had today's packs",
      todo: "Raise PACK_LIMIT in Settings to allow more.",
    },
    stopped: { what: "the bot was stopped meanwhile", todo: "It goes on by itself." },
    error: { what: "a step met an error", todo: "It is tried again by itself." },
    telegram_busy: { what: "Telegram was busy", todo: "It is tried again by itself." },
    telegram_silent: { what: "Telegram did not answer", todo: "It is tried again by itself." },
  },
  outcomes: {
    wrong_count: "the wrong number of stickers",
    cropped: "cropped",
    distorted: "distorted",
    text_garbage: "unreadable words",
    other: "something else",
    weak_key: "the background is hard to tell from the figures",
    touching_unsure: "stickers touch each other",
    floating_unsure: "a loose part may belong to either sticker",
    empty_file: "the file is empty",
    not_an_image: "it is no PNG, JPEG or WebP image",
    truncated: "the image is cut short",
    animated: "it is an animation",
    too_small: "the sheet is too small",
    too_large: "the sheet is too large",
    no_key: "there is no flat background",
    checkerboard: "its background is a checkerboard",
    no_stickers: "there is nothing on it but background",
    cutter_failed: "the cutter failed",
    unchecked: "unchecked",
    gone: "gone",
    found: "found",
    created: "created",
    budget_used: "today's AI budget is used up",
    restarted: "the bot was restarted",
    uncuttable: "it cannot be cut",
  },
};
