/** Visits, costs and the audit log. */
import { Elysia } from "elysia";
import { auditDetails, auditWords } from "../../shared/admin/audit-words.ts";
import { costsOf, MAX_DAYS } from "../../shared/admin/costs.ts";
import { listTrail, TRAIL_PAGE, type TrailRow } from "../../shared/admin/trail.ts";
import { dropouts, funnelOf, listVisits, VISITS_PAGE } from "../../shared/admin/visits.ts";
import { personOf, wordsOf } from "../../shared/admin/words.ts";
import { budgetOf } from "../../shared/budget.ts";
import { type Lang, type SessionStatus, sessionMachine } from "../../shared/status.ts";
import { iso } from "../../shared/time.ts";
import type { ApiContext } from "../context.ts";
import { langOf } from "./lang.ts";
import { budgetView } from "./overview.ts";
import { numberIn, oneOfIn } from "./query.ts";

const COST_DAYS = 14;
const statuses = Object.keys(sessionMachine.moves) as SessionStatus[];

export function figureRoutes({ db, config, now }: ApiContext) {
  return new Elysia({ name: "admin-figures" })
    .get("/admin/api/sessions", ({ query, request }) => {
      const lang = langOf(request, config);
      const visits = listVisits(db, {
        before: numberIn(query, "before"),
        status: oneOfIn(query, "status", statuses),
        lang,
      });
      const { since, stages } = funnelOf(db, config, now());
      return {
        sessions: visits.map((visit) => ({
          ...visit,
          problem_text: wordsOf(visit.problem, lang)?.what ?? null,
          created_at: iso(visit.created_at),
          updated_at: iso(visit.updated_at),
        })),
        next_before: visits.length === VISITS_PAGE ? visits.at(-1)?.number : null,
        funnel: { since: iso(since), stages },
        dropouts: dropouts(db, config, now()).map((row) => ({
          ...row,
          text: wordsOf(row.reason, lang)?.what ?? row.reason,
        })),
      };
    })
    .get("/admin/api/costs", ({ query }) => {
      const { days, total } = costsOf(db, config, numberIn(query, "days", 1, MAX_DAYS) ?? COST_DAYS, now());
      return {
        days: days.map(({ perPack, ...day }) => ({ ...day, per_pack_usd: perPack })),
        total: {
          usd: total.usd,
          packs: total.packs,
          per_pack_usd: total.perPack,
          by_provider: total.byProvider,
          by_purpose: total.byPurpose,
        },
        budget: budgetView(budgetOf(db, config, now()), config),
      };
    })
    .get("/admin/api/audit", ({ query, request }) => {
      const rows = listTrail(db, numberIn(query, "before"));
      return {
        entries: rows.map((row) => auditView(row, langOf(request, config))),
        next_before: rows.length === TRAIL_PAGE ? rows.at(-1)?.id : null,
      };
    });
}

/** The raw values, and beside them what a person reads: who, a sentence, and what it names without quoting it. */
function auditView(row: TrailRow, lang: Lang) {
  const value = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  const entry = { ...row, at: iso(row.at), before: value(row.before), after: value(row.after) };
  return {
    ...entry,
    who: personOf(row.actor, lang),
    words: auditWords(entry, lang),
    details: auditDetails(entry, lang),
  };
}
