/** Guests, visitors of the landing and sales people: each does what its plan says as far as the booth lets it. */
import sharp from "sharp";
import type { LeadAction } from "../../shared/leads/lead.ts";
import { packsSince } from "../../shared/queue.ts";
import { speak } from "../../shared/texts/index.ts";
import { dayStart } from "../../shared/time.ts";
import type { Booth } from "./booth.ts";
import { SET_OUT_MS } from "./check-ends.ts";
import type { GuestPlan, LeadPlan } from "./plan.ts";

const SALESPERSON = 501;
/** A guest who asks for the languages stays with this one. */
const LANG = "lang:en";

export type Visit = {
  guest: GuestPlan;
  token: string | null;
  /** The api said 202. */
  accepted: boolean;
  /** A photo was sent in the chat while the visit waited for one. */
  sentInChat: boolean;
  erased: boolean;
};
/** A button that a salesperson pressed, and the status that its card showed. */
export type LeadPress = { action: LeadAction; seen: string };
export type Request = { plan: LeadPlan; id: string; numbers: Set<number>; shown: number; presses: LeadPress[] };

/** A photo whose stored form is like no other guest's. */
const selfieOf = (id: number) =>
  sharp({ create: { width: 160, height: 200, channels: 3, background: { r: id % 251, g: (id * 7) % 251, b: 90 } } })
    .jpeg()
    .toBuffer();

export async function visit(booth: Booth, guest: GuestPlan): Promise<Visit> {
  const { sim } = booth;
  const me: Visit = { guest, token: null, accepted: false, sentInChat: false, erased: false };
  const started = await booth.insist("POST", "/session", () => ({ kiosk: "chaos", lang: "en" }));
  const token: string | undefined = started?.body?.token;
  if (!token) return me;
  me.token = token;
  if (!(await arrive(booth, guest, token))) return me;
  for (const text of guest.chatter) sim.guestSays(guest.id, text);
  if (guest.chatter.includes("/language")) {
    await booth.eventually("the languages", () => sim.buttons(guest.id).some((b) => b.callback_data === LANG));
    sim.guestPresses(guest.id, LANG);
  }
  if (guest.ending === "reset") {
    await booth.insist("POST", `/session/${token}/expire`);
    return me;
  }
  // Some change their mind.
  if (guest.copies > 1) await choose(booth, token, "royal");
  const chosen = await choose(booth, token, "astronaut");
  if (chosen?.status !== 200) return me;
  await sendPhoto(booth, me, token);
  const end = await reaches(booth, token, "done", "failed", "template_chosen");
  // Sent back to the camera: once more, with another photo.
  if (end === "template_chosen" && me.accepted) await sendPhoto(booth, me, token, 100);
  if (end === "done" && guest.comesAgain) await comeAgain(booth, guest);
  await leave(booth, me, token);
  return me;
}

const choose = (booth: Booth, token: string, template_id: string) =>
  booth.insist("POST", `/session/${token}/template`, () => ({ template_id }));

/** Who has had as many packs as one may today is given no other: the visit ends before its photo. */
async function comeAgain(booth: Booth, guest: GuestPlan) {
  const started = await booth.insist("POST", "/session", () => ({ kiosk: "chaos", lang: "en" }));
  const token: string | undefined = started?.body?.token;
  if (!token || !(await arrive(booth, guest, token))) return;
  const answer = await choose(booth, token, "royal");
  const had = packsSince(booth.db, guest.id, dayStart(booth.now(), booth.zone));
  // Refused, and the answer was lost: the visit has ended when the kiosk asks again.
  if (answer && answer.status !== 409)
    booth.faults.push(`guest ${guest.id} has had ${had} packs today, and another one was answered ${answer.status}`);
}

const reaches = (booth: Booth, token: string, ...statuses: string[]) =>
  booth.eventually(
    `${token} to be ${statuses}`,
    async () => {
      const status = await booth.look(token);
      const ended = status === "expired" || status === "blocked";
      return status && (ended || statuses.includes(status)) ? status : null;
    },
    120,
  );

/** Gone before the question has come: it waits behind a slow answer. */
async function flee(booth: Booth, { id }: GuestPlan, token: string) {
  const { sim } = booth;
  const slow = sim.hold("telegram:sendMessage", { chat_id: id });
  sim.guestSays(id, "/help", { lang: "en" });
  sim.guestSays(id, `/start ${token}`);
  // A break may just have begun; of that too nothing is heard yet.
  const turnedAway = "SELECT 1 FROM chaos_promises WHERE chat_id = ? AND payload LIKE ?";
  const isTurnedAway = () => booth.rows(turnedAway, id, `%${speak("en").maintenance}%`).length > 0;
  const isLinked = async () => (await booth.look(token)) === "linked";
  await booth.eventually(`${token} to be linked`, async () => (await isLinked()) || isTurnedAway(), 120);
  if (!isTurnedAway()) await booth.insist("POST", `/session/${token}/expire`);
  // Longer than what had set out before may be on its way.
  await Bun.sleep(2 * SET_OUT_MS);
  slow.release();
}

/** Scans the code and answers the question. @returns whether the guest agreed and the visit goes on */
async function arrive(booth: Booth, guest: GuestPlan, token: string): Promise<boolean> {
  const { sim } = booth;
  const answer = guest.ending === "decline" ? "no" : "yes";
  const question = () => sim.buttons(guest.id).some((b) => b.callback_data === `consent:${token}:${answer}`);
  const lastWord = () => sim.messages(guest.id).at(-1)?.text;
  const isTurnedAway = () => lastWord() === speak("en").maintenance;
  const refusals: string[] = [...Object.values(speak("en").link), ...Object.values(speak("en").consent.closed)];
  const isRefused = () => refusals.includes(lastWord() ?? "");
  do {
    // The code is scanned again after a break.
    await booth.eventually("the end of a break", () => !booth.isPaused);
    if (guest.ending === "flee") {
      await flee(booth, guest, token);
      return false;
    }
    sim.guestSays(guest.id, `/start ${token}`, { lang: "en" });
    if (!(await booth.eventually(`the question of ${token}`, () => question() || isTurnedAway() || isRefused())))
      return false;
    if (isRefused()) return false;
  } while (!question());
  sim.guestPresses(guest.id, `consent:${token}:${answer}`);
  return (await reaches(booth, token, "consented")) === "consented";
}

async function sendPhoto(booth: Booth, me: Visit, token: string, variant = 0) {
  const photo = new Uint8Array(await selfieOf(me.guest.id + variant));
  if (me.guest.photoBy === "chat") return sendInChat(booth, me, token, photo);
  const form = () => {
    const upload = new FormData();
    upload.append("photo", new Blob([photo], { type: "image/jpeg" }), "selfie.jpg");
    return upload;
  };
  const answers = await Promise.all(
    Array.from({ length: me.guest.copies }, () => booth.insist("POST", `/session/${token}/photo`, form)),
  );
  const accepted = answers.filter((answer) => answer?.status === 202);
  if (accepted.length > 0) me.accepted = true;
  const refused = answers.filter((answer) => [413, 415, 422].includes(answer?.status ?? 0));
  for (const answer of refused)
    booth.faults.push(`the good photo of guest ${me.guest.id} was answered ${answer?.status} ${answer?.body?.error}`);
  // A repeat of a photo that was taken is answered alike, also when the first answer was lost.
  const others = answers.filter((answer) => answer && answer.status !== 202);
  if (accepted.length > 0 && others.length > 0)
    booth.faults.push(`the same photo was answered 202 and ${others.map((a) => `${a?.status} ${a?.body?.error}`)}`);
}

/** It is the bot that has to fetch the photo: the visit goes on once it has, and when it could not, the guest sends another. */
async function sendInChat(booth: Booth, me: Visit, token: string, photo: Uint8Array<ArrayBuffer>) {
  const { id } = me.guest;
  const { tooSlow, unreadable } = speak("en").photo;
  const refusals = () => booth.sim.messages(id).filter(({ text }) => text === tooSlow || text === unreadable).length;
  const isTaken = () => booth.rows("SELECT 1 FROM jobs WHERE session_token = ?", token).length > 0;
  const isOver = async () => {
    const status = await booth.look(token);
    return status !== null && status !== "template_chosen";
  };
  me.sentInChat = true;
  for (let sent = 1; ; sent += 1) {
    await booth.sim.guestSendsPhoto(id, photo);
    const isRefused = () => refusals() >= sent;
    await booth.eventually(`the photo of ${token}`, async () => isRefused() || isTaken() || (await isOver()), 120);
    if (!isRefused() || booth.isLate) return;
  }
}

async function leave(booth: Booth, me: Visit, token: string) {
  const { sim } = booth;
  const { id, ending } = me.guest;
  if (ending === "block") {
    sim.guestBlocks(id);
    return;
  }
  if (ending !== "erase:data" && ending !== "erase:packs") return;
  sim.guestSays(id, "/delete");
  if (!(await booth.eventually(`the button ${ending}`, () => sim.buttons(id).some((b) => b.callback_data === ending))))
    return;
  sim.guestPresses(id, ending);
  me.erased = true;
  const isUnknown = () => booth.rows("SELECT 1 FROM sessions WHERE token = ? AND user_id IS NULL", token)[0];
  await booth.eventually(`${token} to be erased`, isUnknown);
}

export async function request(booth: Booth, plan: LeadPlan, index: number): Promise<Request> {
  const me: Request = { plan, id: crypto.randomUUID(), numbers: new Set(), shown: 0, presses: [] };
  const body = () => ({
    request_id: me.id,
    name: "Aziz <b>",
    contact: "@aziz_events",
    locale: "uz",
    comment: "Toʻy & bayram",
    visitor_ip: `198.51.100.${index + 1}`,
  });
  const answers = await Promise.all(Array.from({ length: plan.copies }, () => booth.insist("POST", "/leads", body)));
  for (const answer of answers) {
    if (answer?.status === 201 || answer?.status === 200) me.numbers.add(answer.body.number);
    else if (answer) booth.faults.push(`a request was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  const [number] = me.numbers;
  if (number === undefined) return me;
  for (const deed of plan.deeds) await act(booth, me, number, deed);
  return me;
}

async function act(booth: Booth, me: Request, number: number, deed: LeadPlan["deeds"][number]) {
  const { sim } = booth;
  await booth.eventually("the bot to be let into the sales group", () => !booth.isOut);
  const chat = salesChat(booth);
  if (deed === "show") {
    me.shown += 1;
    sim.operatorSays(chat, SALESPERSON, `/lead ${number}`);
    return;
  }
  const data = `lead:${number}:${deed}`;
  const button = () => sim.buttons(salesChat(booth)).find((b) => b.callback_data === data);
  const until = Date.now() + 2500;
  await booth.eventually(`the button ${data}`, () => button() !== undefined || Date.now() > until);
  const card = button()?.message;
  if (card === undefined || booth.isOut) return;
  sim.operatorPresses(salesChat(booth), SALESPERSON, data);
  me.presses.push({ action: deed, seen: statusShown(card.text ?? "") });
}

const shownNames = { new: "new", in_progress: "in progress", won: "won", lost: "lost", spam: "spam" };

/** The status that stands on a card. */
export function statusShown(text: string): string {
  const [head = ""] = text.split("\n");
  const found = Object.entries(shownNames).find(([, name]) => head.includes(` ${name},`) || head.includes(` ${name} `));
  return found?.[0] ?? "";
}

/** The ids of a group, its present one last: it may have become another group. */
export function idsOf({ sim }: Booth, group: "sales" | "operators"): number[] {
  const id = group === "sales" ? sim.salesChatId : sim.operatorsChatId;
  const movedTo = sim.world.chats.get(id)?.movedTo;
  return movedTo === undefined ? [id] : [id, movedTo];
}

export const salesChat = (booth: Booth) => idsOf(booth, "sales").at(-1) as number;
