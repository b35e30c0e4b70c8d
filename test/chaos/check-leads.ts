/** Every accepted request has one row and at least one card; copies only where an answer was truly lost. */
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import { afterNoted, unexplained } from "./incidents.ts";
import { idsOf, type Request, statusShown } from "./people.ts";

/** Of what every visitor here writes: name, contact and comment. */
export const TOLD_OF_A_LEAD = ["Aziz &lt;b&gt;", "aziz_events", "Toʻy &amp; bayram"];
export const A_CARD = /^<b>Lead \d+<\/b> ·/;

export function checkLeads(booth: Booth, requests: Request[]): string[] {
  return [
    ...requests.flatMap((request) => checkLead(booth, request)),
    ...checkPlaces(booth),
    ...checkShown(booth, requests),
  ];
}

/** What visitors wrote is for the sales people alone. */
function checkPlaces(booth: Booth): string[] {
  const own = idsOf(booth, "sales");
  return booth.sim.calls
    .filter(({ target, params }) => target === "telegram:sendMessage" && A_CARD.test(String(params.text)))
    .filter(({ params }) => !own.includes(Number(params.chat_id)))
    .map(
      ({ params }) =>
        `a card went to ${params.chat_id}, which is no sales group: ${String(params.text).split("\n")[0]}`,
    );
}

/** Who asks for a lead in the group gets an answer. */
function checkShown(booth: Booth, requests: Request[]): string[] {
  const asked = requests.reduce((sum, { shown }) => sum + shown, 0);
  const [{ n }] = booth.rows(
    "SELECT count(*) AS n FROM chaos_promises WHERE asked = 1 AND chat_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(idsOf(booth, "sales")),
  );
  return n < asked ? [`sales people asked for leads ${asked} times and were promised ${n} answers`] : [];
}

function checkLead(booth: Booth, { id, numbers, shown }: Request): string[] {
  const rows = booth.rows("SELECT number, status FROM leads WHERE request_id = ?", id) as {
    number: number;
    status: string;
  }[];
  if (rows.length === 0) return numbers.size > 0 ? [`request ${id} was accepted and is not there`] : [];
  const { number, status } = rows[0] as { number: number; status: string };
  const wrong: string[] = [];
  if (numbers.size > 1 || (numbers.size === 1 && !numbers.has(number)))
    wrong.push(`request ${id} is lead ${number} and was answered ${[...numbers]}`);
  const calls = booth.sim.sent("sendMessage").filter((call) => isCard(call, number));
  if (calls.length === 0) wrong.push(`lead ${number} has no card`);
  for (const { params } of calls)
    if (!TOLD_OF_A_LEAD.every((part) => String(params.text).includes(part)))
      wrong.push(`a card of lead ${number} leaves something out: ${params.text}`);
  // A group that became another one gets cards of its own.
  const chats = Map.groupBy(calls, ({ params }) => params.chat_id);
  const extra = [...chats.values()].reduce((sum, inChat) => sum + unexplained(booth, inChat), 0) - shown;
  if (extra > 0) wrong.push(`lead ${number} has ${extra} cards too many`);
  const again = afterNoted(booth, "card", number, calls);
  if (again > 0) wrong.push(`lead ${number} got ${again} cards while it was known to have one`);
  const asked = shown + (chats.size > 1 ? (chats.get(booth.sim.salesChatId)?.length ?? 0) : 0);
  const [{ n }] = booth.rows(
    "SELECT count(*) AS n FROM chaos_sent WHERE what = 'card' AND id = ? AND value IS NULL",
    number,
  );
  if (n > asked) wrong.push(`lead ${number} was given another card ${n} times, by request ${asked} times`);
  const known = booth.rows("SELECT chat_id, message_id FROM lead_cards WHERE number = ?", number) as {
    chat_id: number;
    message_id: number;
  }[];
  for (const { chat_id, message_id } of known) {
    const card = booth.sim.messages(chat_id).find((message) => message.message_id === message_id);
    // In a group that became another one nothing can be edited any more.
    if (booth.sim.world.chats.get(chat_id)?.movedTo !== undefined) continue;
    if (statusShown(card?.text ?? "") !== status)
      wrong.push(`lead ${number} is ${status} and a card says: ${card?.text?.split("\n")[0]}`);
  }
  return wrong;
}

const isCard = ({ params }: Call, number: number) => String(params.text).startsWith(`<b>Lead ${number}</b> ·`);
