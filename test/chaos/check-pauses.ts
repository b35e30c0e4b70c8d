/** Who was asked by Telegram to wait does wait, by the processes' clock that never goes back. */
import type { Call } from "../sim/types.ts";
import type { Booth } from "./booth.ts";

const ASKED = /"retry_after":(\d+)/;
/** Clocks of two processes, and a timer that fires a little early. */
const SLACK_MS = 50;

export function checkPauses(booth: Booth): string[] {
  // Those without are asked once a start, for several lists.
  const calls = booth.sim.calls.filter(
    ({ target, params }) => target.startsWith("telegram:") && WHAT.some((name) => name in params),
  );
  return [...Map.groupBy(calls, keyOf).values()].flatMap((same) =>
    same.flatMap((call, nth) => {
      const seconds = Number(ASKED.exec(call.outcome)?.[1] ?? 0);
      const next = same[nth + 1];
      if (seconds === 0 || next === undefined || wasForgotten(booth, call, next)) return [];
      const waitedMs = next.at - call.at + booth.levers.passedBetween(call.at, next.at);
      return waitedMs + SLACK_MS < seconds * 1000
        ? [`Telegram asked to wait ${seconds} s, and ${Math.round(waitedMs)} ms later came again: ${keyOf(next)}`]
        : [];
    }),
  );
}

const WHAT = ["chat_id", "message_id", "callback_query_id", "file_id", "name", "sticker", "text"];
const keyOf = ({ target, params }: Call) =>
  [target, ...WHAT.map((name) => params[name]).filter((value) => value !== undefined)].join(" ").slice(0, 120);

/** The answer was not heard, or could not be written down. */
const wasForgotten = (booth: Booth, call: Call, next: Call) =>
  call.ms === undefined ||
  booth.botDeaths.some(({ at }) => at >= call.at && at <= next.at) ||
  [...booth.spans, ...booth.deaf].some(({ from, to }) => from <= next.at && to >= call.at);
