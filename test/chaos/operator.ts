/** The one operator of the evening: pauses and opens the booth, stops packs, gives failed ones another try. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Booth } from "./booth.ts";
import { idsOf } from "./people.ts";
import type { OperatorDeed } from "./plan.ts";

const OPERATOR_ID = 601;
const LOOK_FOR_MS = 4_000;
const PAUSED_MS = 600;

/** What was ordered: in the chat, where each order is carried out once ever, and on the page, where an answer says so. */
export type Made = { what: string; answered: boolean; calls?: number };
export type Orders = {
  said: string[];
  onPage: Made[];
  /** Jobs that had failed and were to be tried again. */
  retried: number[];
};
type Order = { text: string; path: string; body?: object };

export async function operate(booth: Booth, deeds: OperatorDeed[]): Promise<Orders> {
  const orders: Orders = { said: [], onPage: [], retried: [] };
  const give = async (what: string, by: OperatorDeed["by"], { text, path, body }: Order) => {
    if (by === "chat") {
      booth.sim.operatorSays(idsOf(booth, "operators").at(-1) as number, OPERATOR_ID, text);
      orders.said.push(what);
      return;
    }
    const answer = await booth.insist("POST", `/admin/api/${path}`, () => body ?? {});
    orders.onPage.push({ what, answered: answer?.status === 200, calls: answer?.calls });
    // A pack may have come to its end by itself, and a repeated order finds it done.
    if (answer && answer.status !== 200 && answer.body?.error !== "wrong_status")
      booth.faults.push(`an operator's ${what} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  for (const { afterMs, what, by } of deeds) {
    await Bun.sleep(afterMs);
    if (what === "status") await give(what, "chat", { text: "/status", path: "" });
    else if (what === "pause") {
      await give("pause", by, { text: "/pause Lunch", path: "maintenance", body: { on: true, reason: "Lunch" } });
      await booth.eventually("a break", () => booth.isPaused);
      await Bun.sleep(PAUSED_MS);
      await give("resume", by, { text: "/resume", path: "maintenance", body: { on: false } });
      await booth.eventually("the end of a break", () => !booth.isPaused);
    } else {
      const id = await found(booth, what);
      if (id === null) continue;
      if (what === "retry") orders.retried.push(id);
      // The chat offers no way to stop a pack that is well.
      const way = what === "cancel" ? "page" : by;
      await give(what, way, { text: `/retry ${id}`, path: `jobs/${id}/${what}` });
    }
  }
  return orders;
}

/** Nothing is done that nobody ordered, nothing twice, and who ordered in the chat gets one answer. */
export function checkOrders(booth: Booth, { said, onPage, retried }: Orders): string[] {
  const wrong: string[] = [];
  if (booth.isPaused) wrong.push("the booth is still paused");
  for (const what of new Set([...said, ...onPage.map((order) => order.what)])) {
    const [{ chat, page }] = booth.rows(
      `SELECT count(*) FILTER (WHERE actor LIKE 'operator:%') AS chat, count(*) FILTER (WHERE actor LIKE 'admin:%') AS page
       FROM audit_log WHERE action = ?`,
      what,
    );
    const ordered = said.filter((order) => order === what).length;
    const orders = onPage.filter((order) => order.what === what);
    const answered = orders.filter((order) => order.answered).length;
    if (chat > ordered) wrong.push(`${what} was ordered ${ordered} times in the chat and done ${chat} times`);
    // The same order once more changes nothing; but each call asks for a try-out of its own, and a pack may fail again.
    const most = ["try-out", "retry"].includes(what)
      ? orders.reduce((sum, { calls = 1 }) => sum + calls, 0)
      : orders.length;
    if (page > most || page < answered)
      wrong.push(`${what} was ordered ${orders.length} times, answered ${answered} times and done ${page} times`);
  }
  for (const id of new Set(retried)) {
    const isDone = booth.rows(
      "SELECT 1 FROM chaos_moves WHERE machine = 'jobs' AND subject = CAST(? AS TEXT) AND before = 'failed' AND after = 'queued'",
      id,
    )[0];
    // Without its photo it is refused.
    const [{ file }] = booth.rows("SELECT session_token || '/' || selfie AS file FROM jobs WHERE id = ?", id);
    const isThere = existsSync(join(booth.dataDir, "sessions", file));
    if (!isDone && isThere) wrong.push(`job ${id} had failed, an operator ordered another try, and it never got one`);
  }
  const answers = booth.rows(
    "SELECT 1 FROM chaos_promises WHERE asked = 1 AND chat_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(idsOf(booth, "operators")),
  ).length;
  if (answers !== said.length) wrong.push(`an operator said ${said.length} things and was promised ${answers} answers`);
  return wrong;
}

/** A pack that such an order is for, if one comes soon. */
async function found(booth: Booth, what: "retry" | "cancel"): Promise<number | null> {
  const statuses = what === "retry" ? "('failed')" : "('queued', 'running', 'delivering')";
  const until = Date.now() + LOOK_FOR_MS;
  const look = () => booth.rows(`SELECT id FROM jobs WHERE status IN ${statuses} ORDER BY id DESC`)[0];
  const row = await booth.eventually(`a pack to ${what}`, () => look() ?? Date.now() > until);
  return row === null || row === true ? null : row.id;
}
