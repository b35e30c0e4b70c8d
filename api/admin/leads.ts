/** `/admin/api/leads`: the requests, a status by an operator's word, and all of them as a table for a spreadsheet. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { leadCounts } from "../../shared/admin/trail.ts";
import { audit } from "../../shared/audit.ts";
import { transact } from "../../shared/db.ts";
import { type Lead, leadByNumber, leadStatuses, listLeads, moveLead } from "../../shared/leads/lead.ts";
import { Refusal } from "../../shared/refusal.ts";
import { iso, isoOrNull } from "../../shared/time.ts";
import type { ApiContext } from "../context.ts";
import { json } from "../json.ts";
import { csv } from "./csv.ts";
import type { AdminDoor } from "./door.ts";
import { rule } from "./lang.ts";
import { numberIn, oneOfIn } from "./query.ts";

const PAGE = 50;
const CSV_PAGE = 1000;

const newStatus = Type.Object(
  {
    status: Type.Union(
      leadStatuses.map((status) => Type.Literal(status)),
      rule((t) => t.oneOf(leadStatuses)),
    ),
    /** As the operator saw it: when somebody changed it meanwhile, this change is refused. */
    seen: Type.Optional(
      Type.Union(
        [...leadStatuses.map((status) => Type.Literal(status)), Type.Null()],
        rule((t) => t.oneOf(leadStatuses)),
      ),
    ),
  },
  { additionalProperties: true },
);

export function leadDeskRoutes(context: ApiContext, door: AdminDoor) {
  const { db, config, now, log } = context;

  return new Elysia({ name: "admin-leads", normalize: false })
    .get("/admin/api/leads", ({ query }) => {
      const leads = listLeads(db, {
        status: oneOfIn(query, "status", leadStatuses),
        before: numberIn(query, "before"),
        limit: PAGE,
      });
      return {
        leads: leads.map(leadView),
        counts: leadCounts(db),
        next_before: leads.length === PAGE ? leads.at(-1)?.number : null,
      };
    })
    .get("/admin/api/leads.csv", ({ request }) => {
      log.info({ who: door.actorOf(request) }, "the leads were downloaded");
      return new Response(csv(COLUMNS, everyLead()), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": 'attachment; filename="leads.csv"',
          "cache-control": "private, no-store",
        },
      });
    })
    .post(
      "/admin/api/leads/:number/status",
      ({ params, body, request }) => {
        const number = /^\d{1,15}$/.test(params.number) ? Number(params.number) : 0;
        return leadView(setStatus(number, body, door.actorOf(request)));
      },
      { parse: json, body: newStatus },
    );

  type Wish = { status: Lead["status"]; seen?: Lead["status"] | null };

  function setStatus(number: number, { status, seen }: Wish, actor: string): Lead {
    return transact(db, () => {
      const before = leadByNumber(db, number);
      if (!before) throw new Refusal("not_found", (t) => t.noLead(number));
      if (seen && seen !== before.status)
        throw new Refusal("conflict", (t) => t.leadChanged(number, before.status, before.status_by));
      if (before.status === status) return before;
      const result = moveLead(db, number, { to: status, actor, by: config.ADMIN_USER ?? "admin", now: now() });
      if (!result?.moved) throw new Refusal("wrong_status", (t) => t.leadMoved(number, before.status));
      audit(db, {
        actor,
        action: "lead",
        target: `lead ${number}`,
        before: { status: before.status },
        after: { status },
        now: now(),
      });
      return result.lead;
    });
  }

  function* everyLead() {
    let before: number | undefined;
    for (;;) {
      const page = listLeads(db, { before, limit: CSV_PAGE });
      yield* page;
      before = page.at(-1)?.number;
      if (page.length < CSV_PAGE) return;
    }
  }
}

function leadView(lead: Lead) {
  return {
    number: lead.number,
    status: lead.status,
    name: lead.name,
    contact: lead.contact,
    city: lead.city,
    comment: lead.comment,
    event_type: lead.event_type,
    event_date: lead.event_date,
    guests: lead.guests,
    locale: lead.locale,
    source: lead.source,
    status_by: lead.status_by,
    created_at: iso(lead.created_at),
    status_at: iso(lead.status_at),
    published_at: isoOrNull(lead.published_at),
    erased_at: isoOrNull(lead.erased_at),
  };
}

const COLUMNS: [string, (lead: Lead) => string | number | null][] = [
  ["number", (lead) => lead.number],
  ["created_at", (lead) => iso(lead.created_at)],
  ["status", (lead) => lead.status],
  ["status_by", (lead) => lead.status_by],
  ["name", (lead) => lead.name],
  ["contact", (lead) => lead.contact],
  ["event_type", (lead) => lead.event_type],
  ["event_date", (lead) => lead.event_date],
  ["guests", (lead) => lead.guests],
  ["city", (lead) => lead.city],
  ["comment", (lead) => lead.comment],
  ["locale", (lead) => lead.locale],
  ["source", (lead) => lead.source],
  ["page", (lead) => lead.page],
];
