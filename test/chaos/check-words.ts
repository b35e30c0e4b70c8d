/** What guests hear: an answer to all that they ask, each end once, and nothing that is another's. */
import { speak } from "../../shared/texts/index.ts";
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import type { Visit } from "./people.ts";

const { failed, photo, consent } = speak("en");
/** The api itself says the one, with its answer to the kiosk; the others are what a question becomes that was still to be sent. */
const UNPROMISED: string[] = [photo.taken, ...Object.values(consent.closed)];
/** The beginnings of what these commands are answered with. */
const answers: Record<string, RegExp> = {
  "/help": /^How it works:/,
  "/privacy": /^<b>What we keep/,
  "/packs": /^You have (no|\d+) /,
  "/language": new RegExp(`^${RegExp.escape(speak("en").language.ask)}$`),
};

export function checkWords(booth: Booth, visits: Visit[]): string[] {
  return [
    ...visits.flatMap((visit) => [...checkAnswers(booth, visit), ...checkEnds(booth, visit)]),
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

/** Nobody hears of a failure that was none, or of one twice. */
function checkEnds(booth: Booth, { guest, token }: Visit): string[] {
  if (token === null) return [];
  const texts: string[] = Object.values(failed);
  const told = promisedTo(booth, guest.id).filter((text) => texts.includes(text)).length;
  const [{ n }] = booth.rows(
    `SELECT count(*) AS n FROM chaos_moves WHERE machine = 'jobs' AND after IN ('failed', 'cancelled')
       AND subject IN (SELECT CAST(id AS TEXT) FROM jobs WHERE session_token = ?)`,
    token,
  );
  return told > n ? [`guest ${guest.id} was told ${told} failures, and ${n} jobs came to nothing`] : [];
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
    return name === undefined ? isPromised(chat, text) || UNPROMISED.includes(text) : owners.get(name) === chat;
  };
  return [...booth.sim.sent("sendMessage"), ...booth.sim.sent("sendSticker")]
    .filter((call) => !isOwn(call))
    .map(({ params }) => `chat ${params.chat_id} heard what is not its own: ${JSON.stringify(params).slice(0, 160)}`);
}
