/** What guests hear: an answer to all that they ask, each end once, and nothing that is another's. */
import { speak } from "../../shared/texts/index.ts";
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import type { Visit } from "./people.ts";

const { failed, photo, consent, packLimit } = speak("en");
/** The api itself says the one, with its answer to the kiosk; the others are what a question becomes that was still to be sent. */
const UNPROMISED: string[] = [photo.taken, packLimit(1), ...Object.values(consent.closed)];
/** The same with a queue ahead, however long that is. */
const TAKEN_QUEUED = new RegExp(`^${photo.takenQueued(0).split("0").map(RegExp.escape).join("\\d+")}$`);
const isUnpromised = (text: string) => UNPROMISED.includes(text) || TAKEN_QUEUED.test(text);
/** The beginnings of what these commands are answered with. */
const answers: Record<string, RegExp> = {
  "/help": /^How it works:/,
  "/privacy": /^<b>What we keep/,
  "/packs": /^You have (no|\d+) /,
  "/language": new RegExp(`^${RegExp.escape(speak("en").language.ask)}$`),
};

export function checkWords(booth: Booth, visits: Visit[]): string[] {
  return [
    ...visits.flatMap((visit) => checkAnswers(booth, visit)),
    ...checkFailures(booth),
    ...checkLocks(booth),
    ...checkUnasked(booth),
  ];
}

function promisedTo(booth: Booth, chat: number): string[] {
  const rows = booth.rows("SELECT payload FROM chaos_promises WHERE chat_id = ? AND method = 'sendMessage'", chat);
  return rows.map(({ payload }: { payload: string }) => JSON.parse(payload).text);
}

/** Questions that were given another text while they waited. */
const promisedBefore = (booth: Booth, chat: number): string[] =>
  booth
    .rows("SELECT payload FROM chaos_reworded WHERE chat_id = ?", chat)
    .map(({ payload }: { payload: string }) => JSON.parse(payload).text);

/** What an update asks for is promised once, however often Telegram repeats it. */
function checkAnswers(booth: Booth, { guest, erased }: Visit): string[] {
  if (erased) return [];
  const said = booth.sim.messages(guest.id).filter(({ from }) => !from?.is_bot);
  return Object.entries(answers).flatMap(([command, answer]) => {
    const asked = said.filter(({ text }) => text === command).length;
    const promised = promisedTo(booth, guest.id).filter((text) => answer.test(text)).length;
    return asked === promised
      ? []
      : [`guest ${guest.id} said ${command} ${asked} times and was promised an answer ${promised} times`];
  });
}

type Told = { id: number; guests: number; operators: number; toGuest: number; toOperators: number };

/** For whom each job failed or was stopped, how often, and how often that was told: to operators at once or counted for later. */
const FAILURES = `SELECT j.id,
    (SELECT count(user_id) FROM chaos_failures WHERE job_id = j.id) AS guests,
    (SELECT count(*) FROM chaos_promises WHERE once LIKE 'failed:' || j.id || ':%') AS toGuest,
    (SELECT count(*) FROM chaos_failures WHERE job_id = j.id AND problem NOT IN ('refused', 'photo_gone', 'cancelled')) AS operators,
    (SELECT count(*) FROM chaos_promises WHERE once LIKE 'alert:%' AND payload LIKE '%"op:retry:' || j.id || '"%')
      + (SELECT count(*) FROM chaos_counted WHERE job_id = j.id) AS toOperators
  FROM jobs j`;

/** Each failure is told once, to its guest and to the operators, and none that was none. */
function checkFailures(booth: Booth): string[] {
  const jobs: Told[] = booth.rows(FAILURES);
  const wrong = jobs.filter(
    ({ guests, toGuest, operators, toOperators }) => guests !== toGuest || operators !== toOperators,
  );
  const texts = JSON.stringify(Object.values(failed));
  const [{ told, ends }] = booth.rows(
    `SELECT (SELECT count(*) FROM chaos_promises WHERE json_extract(payload, '$.text') IN (SELECT value FROM json_each(?))) AS told,
       (SELECT count(*) FROM chaos_promises WHERE once LIKE 'failed:%') AS ends`,
    texts,
  );
  return [
    ...wrong.map((one) => `failures and what was told of them: ${JSON.stringify(one)}`),
    ...(told === ends ? [] : [`guests were told ${told} failures, and ${ends} belong to a job`]),
  ];
}

const LOCKS = `SELECT (SELECT count(*) FROM chaos_locks) AS times,
    (SELECT count(*) FROM chaos_promises WHERE once LIKE 'alert:lockout:%')
      + (SELECT count(*) FROM chaos_counted WHERE cause LIKE 'lockout:%') AS told`;

/** Of each who was locked out the operators hear once, at once or together with others. */
function checkLocks(booth: Booth): string[] {
  const [{ times, told }] = booth.rows(LOCKS);
  return times === told ? [] : [`${times} callers were locked out, and operators were told ${told} times`];
}

/** Whatever was said in a chat was promised to it, or is a card, or is about a pack of its own. */
function checkUnasked(booth: Booth): string[] {
  const owners = new Map(
    booth.sim.sent("createNewStickerSet").map(({ params }) => [String(params.name), Number(params.user_id)]),
  );
  const stickers = new Map(
    booth.rows("SELECT name, first_sticker FROM packs").map((pack) => [pack.first_sticker, pack.name as string]),
  );
  const promised = new Map<number, Set<string>>();
  const isPromised = (chat: number, text: string) => {
    // A group may have got another id meanwhile.
    if (chat < 0) return true;
    const texts = promised.get(chat) ?? new Set([...promisedTo(booth, chat), ...promisedBefore(booth, chat)]);
    promised.set(chat, texts);
    return texts.has(text);
  };
  const isOwn = ({ params }: Call) => {
    const chat = Number(params.chat_id);
    const text = String(params.text ?? "");
    const name = /\/addstickers\/(\w+)/.exec(text)?.[1] ?? stickers.get(params.sticker);
    return name === undefined ? isPromised(chat, text) || isUnpromised(text) : owners.get(name) === chat;
  };
  return [...booth.sim.sent("sendMessage"), ...booth.sim.sent("sendSticker")]
    .filter((call) => !isOwn(call))
    .map(({ params }) => `chat ${params.chat_id} heard what is not its own: ${JSON.stringify(params).slice(0, 160)}`);
}
