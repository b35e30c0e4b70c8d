/** What the kiosk was shown of a visit is what the visit was at that moment. */
import type { Booth } from "./booth.ts";

/** An answer of `GET /session`: what it said, and when it was asked for and had. */
export type Look = { token: string; status: string; position: number | null; from: number; to: number };

/** A move is noted a moment before its commit makes it seen; whoever commits may be made to stand still in between. */
const UNSEEN_MS = 500;
const UNSEEN_STILL_MS = 3_000;

export function checkShown(booth: Booth): string[] {
  return [...Map.groupBy(booth.looks, ({ token }) => token)].flatMap(([token, looks]) => {
    const moves: { after: string; at: number }[] = booth.rows(
      "SELECT after, at FROM chaos_moves WHERE machine = 'sessions' AND subject = ? ORDER BY rowid",
      token,
    );
    return looks.flatMap(({ status, position, from, to }) => {
      const still = [...booth.stills, ...booth.spans, ...booth.deaf].some(
        (span) => span.from <= to && span.to >= from - UNSEEN_STILL_MS,
      );
      const since = from - (still ? UNSEEN_STILL_MS : UNSEEN_MS);
      const past = moves.filter(({ at }) => at < since).slice(-1);
      const may = [...past, ...moves.filter(({ at }) => at >= since && at <= to + 1)].map(({ after }) => after);
      const wrong: string[] = [];
      if (!may.includes(status))
        wrong.push(`the kiosk was shown ${token} as ${status}, and it was ${may.join(" or ")}`);
      if ((position === null) === (status === "photo_taken"))
        wrong.push(`the kiosk was shown ${token} as ${status}, at place ${position}`);
      return wrong;
    });
  });
}
