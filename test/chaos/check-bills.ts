/** Each call of an artist that was answered has its bill, and nothing is billed that was not asked for. */
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";
import { wasCutShort } from "./incidents.ts";

/** What a call is billed as; a drawing is a guest's or an operator's try-out. */
const purposes: Record<string, string[]> = { selfie: ["selfie"], image: ["draw", "tryout"], sheet: ["sheet"] };

export function checkBills(booth: Booth): string[] {
  const calls = booth.sim.calls.filter(({ target }) => /^(gemini|openai):(selfie|image|sheet)$/.test(target));
  return [...Map.groupBy(calls, ({ target }) => target)].flatMap(([target, asked]) =>
    checkTarget(booth, target, asked),
  );
}

function checkTarget(booth: Booth, target: string, asked: Call[]): string[] {
  const [provider = "", what = ""] = target.split(":");
  const bills: { outcome: string; usd: number; at: number }[] = booth.rows(
    "SELECT outcome, usd, at FROM chaos_bills WHERE provider = ? AND purpose IN (SELECT value FROM json_each(?)) ORDER BY at DESC",
    provider,
    JSON.stringify(purposes[what]),
  );
  const wrong: string[] = [];
  const given = asked.filter(({ outcome }) => outcome.startsWith("ok")).length;
  const paid = bills.filter(({ outcome }) => outcome === "ok").length;
  if (paid > given) wrong.push(`${target} gave ${given} answers and was paid for ${paid}`);
  // The artists here do the same work each time.
  const prices = new Set(bills.filter(({ outcome }) => outcome === "ok").map(({ usd }) => usd));
  if (prices.size > 1 || prices.has(0)) wrong.push(`${target} was billed at ${[...prices]} dollars`);
  // Whoever was asked last has the last bill: so each finds one of its own that came after it, if there is any.
  const owed = asked.filter((call) => !wasCutShort(booth, call)).reverse();
  const missing = owed.find((call, nth) => (bills[nth]?.at ?? 0) < call.at);
  if (missing)
    wrong.push(
      `${target} was asked ${asked.length} times, ${owed.length} of them to the end, and billed ${bills.length} times`,
    );
  return wrong;
}
