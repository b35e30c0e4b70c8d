/** What buttons bring: each press is answered once at least, and a salesperson's moves its lead or is told why not. */
import { leadActions } from "../../shared/leads/lead.ts";
import type { Booth } from "./booth.ts";
import type { Request } from "./people.ts";

const ANSWER = "telegram:answerCallbackQuery";

export function checkPresses(booth: Booth, requests: Request[]): string[] {
  const answered = Map.groupBy(
    booth.sim.calls.filter(({ target }) => target === ANSWER),
    ({ params }) => String(params.callback_query_id),
  );
  const presses = [...booth.sim.world.presses.values()];
  return [
    ...presses
      .filter(({ id }) => !answered.has(id))
      .map(({ data, userId }) => `nobody answered ${userId} who pressed ${data}`),
    ...presses
      .filter(({ id, data }) => data.startsWith("lead:") && answered.get(id)?.every(({ params }) => !params.text))
      .map(({ data, userId }) => `${userId} pressed ${data} and was told nothing`),
    ...requests.flatMap((request) => checkLead(booth, request)),
  ];
}

/** A lead went the way that the presses on its cards led it, each in its turn, and no other. */
function checkLead(booth: Booth, { id, presses }: Request): string[] {
  const [lead] = booth.rows("SELECT number, status FROM leads WHERE request_id = ?", id);
  if (!lead) return [];
  const way: string[] = ["new"];
  for (const { action, seen } of presses) if (way.at(-1) === seen) way.push(leadActions[action]);
  const moves = booth.rows(
    "SELECT after FROM chaos_moves WHERE machine = 'leads' AND subject = CAST(? AS TEXT) ORDER BY rowid",
    lead.number,
  );
  const went = moves.map(({ after }: { after: string }) => after);
  return went.join() === way.join()
    ? []
    : [`lead ${lead.number} went ${went.join(" → ")}, its presses led ${way.join(" → ")}`];
}
