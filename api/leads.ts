/** `POST /leads`: a request is judged, stored and answered. Publishing it is the bot's work. */
import { Elysia } from "elysia";
import { addressMarks } from "../shared/addresses.ts";
import { alertOperators } from "../shared/alerts.ts";
import { AppError } from "../shared/errors.ts";
import { groupCommit } from "../shared/group-commit.ts";
import { CALLER_LIMIT, nextLeadNumber, takeLead, VISITOR_LIMIT, type Visitor } from "../shared/leads/intake.ts";
import { createLockout } from "../shared/lockout.ts";
import { sales } from "../shared/texts/sales/index.ts";
import type { ApiContext } from "./context.ts";
import { callerOf, sameSecret } from "./guard.ts";
import { json } from "./json.ts";
import { leadFaults, leadOf } from "./lead-rules.ts";

const SECRET_HEADER = "x-stickers-leads-secret";

/**
 * Who may post at all. Asked before anything of the request is read.
 * @throws AppError `not_found` without a configured secret, `unauthorized` for a wrong one and for a locked-out caller
 */
export function createLeadsDoor({ db, config, now, log }: ApiContext) {
  const { LEADS_SECRET } = config;
  const lockout = createLockout(db, "leads", addressMarks(db, config, now()), (at) => {
    alertOperators(db, config, { cause: "lockout:leads", text: sales(config.TEAM_LANG).alerts.lockout, now: at });
  });
  const refusal = () => new AppError("unauthorized", "The secret of this form is wrong or missing.");

  return function door(request: Request, caller: string) {
    if (!LEADS_SECRET) throw new AppError("not_found", "There is nothing at this address.");
    // A locked-out caller hears the same as a wrong one, and the right secret does not help it.
    if (lockout.isLocked(caller, now())) throw refusal();
    if (sameSecret(request.headers.get(SECRET_HEADER) ?? "", LEADS_SECRET)) return;
    if (lockout.wrong(caller, now())) log.warn({}, "a caller of /leads was locked out");
    throw refusal();
  };
}

export function leadRoutes(context: ApiContext) {
  const { db, config, now, log, telegram } = context;
  const mark = addressMarks(db, config, now());
  const commit = groupCommit(db);
  const routes = new Elysia({ name: "leads" });
  if (!config.LEADS_SECRET) return routes;

  return routes.post(
    "/leads",
    async ({ body, request, server, set }) => {
      const given = body as Record<string, unknown>;
      if (isRobot(given)) {
        set.status = 201;
        return { number: nextLeadNumber(db), duplicate: false };
      }
      const faults = leadFaults(given);
      if (faults) throw new AppError("invalid", "Some fields broke a rule.", { fields: faults });
      const { visitor_ip, ...lead } = leadOf(given);
      const visitor: Visitor = visitor_ip?.trim()
        ? { mark: mark(visitor_ip), limit: VISITOR_LIMIT }
        : { mark: mark(`caller ${callerOf(request, server?.requestIP(request)?.address)}`), limit: CALLER_LIMIT };
      const taken = await commit(() => takeLead(db, lead, visitor, now()));
      if (taken.kind === "flood") {
        if (taken.alert) tellOfFlood();
        throw new AppError("too_many", "Too many requests from one visitor. Try again later.", {
          retryAfterS: taken.retryAfterS,
        });
      }
      if (taken.kind === "stored") log.info({ lead: taken.number }, "a lead was stored");
      set.status = taken.kind === "stored" ? 201 : 200;
      return { number: taken.number, duplicate: taken.kind === "known" };
    },
    { parse: leadJson },
  );

  function tellOfFlood() {
    log.warn({}, "a visitor floods the form");
    telegram.tell(config.ADMIN_CHAT_ID, `⚠️ ${sales(config.TEAM_LANG).alerts.flood}`);
  }
}

/** The field that people do not see is filled. */
function isRobot({ website }: Record<string, unknown>): boolean {
  return website !== undefined && website !== null && website !== "";
}

/**
 * Takes the call apart on purpose: Elysia reads this very text, and for a whole call it prepares cookies and headers,
 * which halves the speed.
 * @throws AppError `not_json` for what is no JSON, `invalid` for JSON that is no object
 */
async function leadJson({ request }: { request: Request }): Promise<unknown> {
  try {
    return await json({ request });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "bad_request")) throw error;
    if (error.cause) throw new AppError("not_json", "The body is not JSON.", { cause: error.cause });
    throw new AppError("invalid", error.message, { fields: { body: "must be a JSON object" } });
  }
}
