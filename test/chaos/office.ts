/**
 * What somebody at the operators' page changes in the course of the evening: outfits, settings, today's budget, the
 * kiosks' look, a kiosk, a lead, a try-out. And a stranger who guesses at the password.
 */
import sharp from "sharp";
import { budgetOf } from "../../shared/budget.ts";
import { MAX_WRONG } from "../../shared/lockout.ts";
import { type Booth, OPERATOR } from "./booth.ts";
import { darken } from "./halls.ts";
import type { Made } from "./operator.ts";
import type { OfficeDeed } from "./plan.ts";

const A_CENT_USD = 0.01;
const LOOK_FOR_MS = 4_000;
const HELD_MS = 500;
/** Between a look at the money and the claim. */
const CLAIM_MS = 300;
const STRANGERS = ["203.0.113.77", "203.0.113.78"];
const picture = () =>
  sharp({ create: { width: 160, height: 200, channels: 3, background: "#b0c4de" } })
    .png()
    .toBuffer()
    .then((bytes) => bytes.toString("base64"));

type Order = {
  method: string;
  path: string;
  body?: object;
  /** As the audit log names it. */
  action: string;
  /** An error that is as good as done: the answer before it was lost. */
  orElse?: string;
  /** What one row must say when it is done. */
  holds: string;
};

/** @returns what was ordered, for `checkOrders` */
export async function keepOffice(booth: Booth, deeds: OfficeDeed[]): Promise<Made[]> {
  const made: Made[] = [];
  for (const [nth, { afterMs, what }] of deeds.entries()) {
    await Bun.sleep(afterMs);
    if (what === "stranger") for (const stranger of STRANGERS) await guess(booth, stranger);
    else if (what === "halls") await darken(booth);
    else if (what === "spent") made.push(...(await spendAll(booth)));
    else for (const order of await ordersOf[what](booth, nth)) made.push(await give(booth, order));
    if (what === "tryout") await booth.eventually("the end of a try-out", () => openTryouts(booth) === 0);
  }
  return made;
}

async function give(booth: Booth, { method, path, body, action, orElse, holds }: Order): Promise<Made> {
  const answer = await booth.insist(method, `/admin/api/${path}`, () => body ?? {});
  const answered = answer !== null && answer.status < 300;
  const isDone = answered || (answer !== null && answer.body?.error === orElse);
  if (answer && !isDone)
    booth.faults.push(`the page's "${action}" was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  // Nobody else changes it.
  if (isDone && booth.rows(holds).length === 0)
    booth.faults.push(`the page's "${action}" was answered and does not hold`);
  return { what: action, answered, calls: answer?.calls };
}

const openTryouts = (booth: Booth) => booth.rows("SELECT 1 FROM tryouts WHERE status IN ('waiting', 'drawing')").length;

function limitTo(usd: number | null): Order {
  const last = "SELECT max(id) FROM audit_log WHERE action = 'budget'";
  const holds = `SELECT 1 FROM audit_log WHERE id = (${last}) AND after IS NOT NULL`;
  return { method: "POST", path: "budget", body: { usd }, action: "budget", holds };
}

/** Today's money is spent: no job is begun until an operator gives more. */
async function spendAll(booth: Booth): Promise<Made[]> {
  const budget = () => budgetOf(booth.db, { ...booth.zone, DAILY_BUDGET_USD: 0 }, booth.now());
  const soon = (what: string, isSo: () => boolean) => {
    const until = Date.now() + LOOK_FOR_MS;
    return booth.eventually(what, () => isSo() || Date.now() > until);
  };
  await soon("something that is spent", () => budget().spent > A_CENT_USD);
  if (budget().spent <= A_CENT_USD) return [];
  const first = await give(booth, limitTo(A_CENT_USD));
  const from = Date.now() + CLAIM_MS;
  const due = "SELECT 1 FROM jobs WHERE status = 'queued' AND not_before <= ?";
  await soon("a job that could be begun", () => booth.rows(due, booth.now()).length > 0);
  await Bun.sleep(HELD_MS);
  const claims: { subject: string; at: number }[] = booth.rows(
    "SELECT subject, at FROM chaos_moves WHERE machine = 'jobs' AND after = 'running' AND at BETWEEN ? AND ?",
    from,
    Date.now(),
  );
  // Whoever stood still in between, or waited for the database, had looked before.
  const isLate = (at: number) =>
    [...booth.stills, ...booth.spans].some((span) => span.from <= at && span.to >= at - CLAIM_MS);
  for (const { subject, at } of claims)
    if (!isLate(at)) booth.faults.push(`today's money was spent, and job ${subject} was begun all the same`);
  return [first, await give(booth, limitTo(null))];
}

const ordersOf: Record<
  Exclude<OfficeDeed["what"], "stranger" | "halls" | "spent">,
  (booth: Booth, nth: number) => Promise<Order[]>
> = {
  async outfit(booth, nth) {
    const id = `disguise-${nth}`;
    const titles = { title_ru: "Маска", title_uz: "Niqob", title_en: "Mask" };
    const known = booth.rows("SELECT id FROM templates ORDER BY position, id").map((row: { id: string }) => row.id);
    const ids = [id, ...known.reverse()];
    const one = `templates/${id}`;
    const row = `SELECT 1 FROM templates WHERE id = '${id}'`;
    return [
      {
        method: "POST",
        path: "templates",
        body: { id, ...titles, prompt: "a carnival mask", picture: await picture() },
        action: "outfit added",
        orElse: "conflict",
        holds: row,
      },
      {
        method: "PUT",
        path: one,
        body: { title_en: "Carnival mask" },
        action: "outfit changed",
        holds: `${row} AND title_en = 'Carnival mask'`,
      },
      {
        method: "POST",
        path: "templates/order",
        body: { ids },
        action: "outfits ordered",
        holds: `${row} AND position = 1`,
      },
      {
        method: "DELETE",
        path: one,
        action: "outfit deleted",
        orElse: "not_found",
        holds: `SELECT 1 WHERE NOT EXISTS (${row})`,
      },
    ];
  },

  async settings() {
    const set = (value: number | null, holds: string) => {
      const body = { LEADS_REMIND_MINUTES: value };
      return { method: "PUT", path: "settings", body, action: "settings", holds };
    };
    const own = "SELECT 1 FROM settings WHERE name = 'overrides'";
    return [set(9000, `${own} AND value LIKE '%9000%'`), set(null, `SELECT 1 WHERE NOT EXISTS (${own})`)];
  },

  async budget() {
    return [limitTo(400), limitTo(null)];
  },

  async look() {
    const named = (name: string | null, holds: string) => async () => {
      const body = { name, welcome_en: name, logo: name && (await picture()), pin: name && "4711" };
      return { method: "PUT", path: "branding", body, action: "kiosks' look", holds };
    };
    const own = "SELECT 1 FROM settings WHERE name = 'branding'";
    return Promise.all([named("Wedding", `${own} AND value LIKE '%Wedding%'`)(), named(null, own)()]);
  },

  async kiosk(booth, nth) {
    const kiosk = `hall-${nth}`;
    await booth.insist("POST", "/kiosk/heartbeat", () => ({ kiosk, screen: "start", camera: "ok" }));
    const holds = `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM kiosks WHERE id = '${kiosk}')`;
    return [{ method: "DELETE", path: `kiosks/${kiosk}`, action: "kiosk removed", holds }];
  },

  async lead(booth) {
    const request_id = crypto.randomUUID();
    const lead = { request_id, name: "Dilnoza", contact: "@dilnoza", locale: "ru", visitor_ip: "198.51.100.200" };
    const taken = await booth.insist("POST", "/leads", () => lead);
    const number: number | undefined = taken?.body?.number;
    if (number === undefined) return [];
    return ["in_progress", "won"].map((status) => ({
      method: "POST",
      path: `leads/${number}/status`,
      body: { status },
      action: "lead",
      holds: `SELECT 1 FROM leads WHERE number = ${number} AND status = '${status}'`,
    }));
  },

  async tryout() {
    const body = { template_id: "astronaut", photo: await picture() };
    return [{ method: "POST", path: "tryouts", body, action: "try-out", holds: "SELECT 1 FROM tryouts" }];
  },
};

/** Whoever guesses is locked out for a while, which the operators hear. */
async function guess(booth: Booth, stranger: string) {
  for (let wrong = 0; wrong < MAX_WRONG; wrong += 1) {
    const answer = await booth.insist("GET", "/admin/api/overview", undefined, {
      authorization: `Basic ${btoa(`ops:guess-${wrong}`)}`,
      "x-forwarded-for": stranger,
    });
    if (answer && answer.status !== 401) booth.faults.push(`a stranger at the page was answered ${answer.status}`);
  }
  if (booth.rows("SELECT 1 FROM lockouts WHERE scope = 'admin' AND locked_until > 0").length === 0)
    booth.faults.push("a stranger guessed the password many times and was not locked out");
  const stepped = booth.levers.wallMs;
  const { user, password } = OPERATOR;
  const right = { authorization: `Basic ${btoa(`${user}:${password}`)}`, "x-forwarded-for": stranger };
  const answer = await booth.insist("GET", "/admin/api/overview", undefined, right);
  // A lock that was made by another clock does not hold.
  if (answer && answer.status !== 401 && booth.levers.wallMs === stepped)
    booth.faults.push(`a stranger who was locked out was answered ${answer.status}`);
  if (booth.rows("SELECT 1 FROM notices WHERE once LIKE 'alert:lockout:admin:%'").length === 0)
    booth.faults.push("a stranger was locked out, and no operator was told");
}
