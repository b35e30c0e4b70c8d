/** No visit ends before its time, or for what nobody did. */
import type { Json } from "../world.ts";
import type { Booth } from "./booth.ts";
import type { Visit } from "./people.ts";
import type { GuestPlan } from "./plan.ts";

/** So long a question may be on its way that had set out before; more than a busy machine takes. */
export const SET_OUT_MS = 500;
/** Which endings bring about that a visit is put away, and by which word of the database. */
const causes: Record<string, readonly GuestPlan["ending"][]> = {
  reset: ["reset", "flee"],
  declined: ["decline", "erase:data", "erase:packs"],
};

export function checkEnds(booth: Booth, visits: Visit[]): string[] {
  return [...checkQuestions(booth), ...checkCauses(booth, visits)];
}

/** Nobody is asked for a visit that has gone on. */
function checkQuestions(booth: Booth): string[] {
  return booth.sim.calls.flatMap((call) => {
    const token = /"consent:([\w-]+):yes"/.exec(JSON.stringify(call.params.reply_markup ?? ""))?.[1];
    if (call.target !== "telegram:sendMessage" || token === undefined) return [];
    const [gone] = booth.rows(
      "SELECT at FROM chaos_moves WHERE machine = 'sessions' AND subject = ? AND before = 'linked'",
      token,
    );
    const still = [...booth.stills, ...booth.deaf].some(({ from, to }) => from <= call.at && to >= gone?.at);
    return gone && call.at > gone.at + SET_OUT_MS && !still
      ? [`a guest was asked for the visit ${token}, ${Math.round(call.at - gone.at)} ms after it had gone on`]
      : [];
  });
}

function checkCauses(booth: Booth, visits: Visit[]): string[] {
  return visits.flatMap(({ token, guest }) => {
    const [visit] = booth.rows("SELECT * FROM sessions WHERE token = ? AND status = 'expired'", token ?? "");
    if (!visit) return [];
    if (visit.problem === "timeout") return checkTime(booth, visit);
    return causes[visit.problem]?.includes(guest.ending)
      ? []
      : [`the visit of guest ${guest.id}, who wanted to ${guest.ending}, ended for ${visit.problem}`];
  });
}

/** Each step of a visit gives it its full time anew, by whatever the clock says then. */
function checkTime(booth: Booth, { token, expires_at }: Json): string[] {
  const ttlMs = Number(booth.env.SESSION_TTL_MINUTES) * 60_000;
  const [end, last] = booth.rows(
    "SELECT at, after FROM history WHERE machine = 'sessions' AND subject = ? ORDER BY id DESC LIMIT 2",
    token,
  );
  if (expires_at < last.at + ttlMs) return [`the visit ${token} was at ${last.after} and had too little time`];
  return end.at < expires_at ? [`the visit ${token} ended ${expires_at - end.at} ms before its time`] : [];
}
