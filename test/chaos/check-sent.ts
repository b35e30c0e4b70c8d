/** Every promise is kept, and kept once: nothing goes out that is owed to nobody, and copies only where an answer was lost. */
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import { crosses, unexplained } from "./incidents.ts";
import { idsOf } from "./people.ts";

type Promised = {
  chat_id: number;
  method: string;
  payload: string;
  outcome: string | null;
  id: number;
  /** Was given another text while it waited, or was under way with the one before. */
  reworded: 0 | 1;
  at: number;
  settled: number | null;
};

const ALL = `SELECT p.*, n.outcome, p.id IN (SELECT id FROM chaos_reworded) AS reworded, (SELECT min(at) FROM chaos_sent WHERE what = 'notice' AND id = p.id) AS settled
  FROM chaos_promises p LEFT JOIN notices n ON n.id = p.id`;

export function checkPromises(booth: Booth): string[] {
  const promises: Promised[] = booth.rows(ALL);
  const messages = promises.filter(({ method }) => method === "sendMessage");
  const promised = Map.groupBy(messages, ({ chat_id, payload }) => keyOf(chat_id, JSON.parse(payload).text));
  const sent = Map.groupBy(booth.sim.sent("sendMessage"), ({ params }) => keyOf(Number(params.chat_id), params.text));
  return [
    ...promises.flatMap((promise) => checkKept(booth, promise)),
    ...promises.filter(({ method }) => method === "editMessageText").flatMap((promise) => checkEdit(booth, promise)),
    ...[...promised].flatMap(([key, owed]) => checkCount(booth, key, owed, sent.get(key) ?? [])),
  ];
}

/** A group may have got another id meanwhile. */
const keyOf = (chat: number, text: unknown) => `${chat > 0 ? chat : "group"} ${text}`;

/** What is promised after peace (an alert, say) may still be on its way. */
function checkKept(booth: Booth, { id, chat_id, method, outcome, at }: Promised): string[] {
  if (at >= booth.settledAt || (outcome !== "dropped" && outcome !== null)) return [];
  // Nobody can be told anything in a group that threw the bot out.
  if (outcome === "dropped" && booth.wasOut && idsOf(booth, "sales").includes(chat_id)) return [];
  return [`notice ${id} (${method}) was ${outcome ?? "forgotten"}`];
}

/** An edit that is noted as made was asked for; that Telegram knew it already is as good. */
function checkEdit({ sim }: Booth, { id, outcome, payload }: Promised): string[] {
  const { message_id } = JSON.parse(payload);
  const asked = sim.calls.some(
    ({ target, params }) => target === "telegram:editMessageText" && Number(params.message_id) === message_id,
  );
  return outcome === "sent" && !asked ? [`notice ${id} is noted as sent, and nobody asked for that edit`] : [];
}

function checkCount(booth: Booth, key: string, owed: Promised[], calls: Call[]): string[] {
  const text = key.slice(0, 120);
  const wrong: string[] = [];
  const due = owed.filter(
    ({ at, outcome, reworded }) => at < booth.settledAt && outcome === "sent" && !reworded,
  ).length;
  if (calls.length < due) wrong.push(`promised ${due} times, sent ${calls.length} times: ${text}`);
  const extra = unexplained(booth, calls) - (owed.length - 1);
  if (extra > 0) wrong.push(`promised ${owed.length} times, sent ${calls.length} times without a reason: ${text}`);
  for (const call of calls) {
    const open = owed.some(({ settled }) => settled === null || crosses(booth, settled, call.at));
    if (!open) wrong.push(`sent again after all promises of it were kept: ${text}`);
  }
  return wrong;
}
