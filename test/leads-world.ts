/** What the tests of the sales desk share: a world with a form's secret, requests, and the cards in the group. */
import type { Database } from "bun:sqlite";
import { openDb } from "../shared/db.ts";
import { type NewLead, takeLead } from "../shared/leads/intake.ts";
import type { TgMessage } from "./sim/types.ts";
import { type Answer, type Env, World, type WorldOptions } from "./world.ts";

export const SECRET = "the-form's-secret-0123456789";
export const TEST_MS = 60_000;

export const openDesk = (options: WorldOptions = {}) =>
  World.open({ ...options, env: { LEADS_SECRET: SECRET, DIGEST_HOUR: "23", TZ_NAME: "Etc/GMT+12", ...options.env } });

let visitors = 0;

/** A good request of a visitor of its own. */
export function request(more: Record<string, unknown> = {}): Record<string, unknown> {
  visitors += 1;
  return {
    request_id: crypto.randomUUID(),
    name: "Aziz",
    contact: "@aziz_events",
    locale: "en",
    visitor_ip: `198.51.${Math.floor(visitors / 250)}.${visitors % 250}`,
    ...more,
  };
}

export const post = (world: World, body: unknown, headers: Env = {}): Promise<Answer> =>
  world.post("/leads", body, { "x-stickers-leads-secret": SECRET, ...headers });

/** Stores a request as the api would, for tests that need no api. @returns its number */
export function store(db: Database, more: Partial<NewLead> = {}, now = Date.now()): number {
  const lead = {
    request_id: crypto.randomUUID(),
    name: "Aziz",
    contact: "@aziz_events",
    locale: "en",
    ...more,
  } as const;
  const taken = db.transaction(() => takeLead(db, lead, { mark: lead.request_id, limit: 5 }, now)).immediate();
  if (taken.kind !== "stored") throw new Error(`not stored: ${taken.kind}`);
  return taken.number;
}

/** A second connection that may write, for what no one in the world does. */
export function withDb<T>(world: World, work: (db: Database) => T): T {
  const db = openDb(world.dataDir);
  try {
    return work(db);
  } finally {
    db.close(false);
  }
}

/** The cards of a lead that stand in the sales group, oldest first. */
export const cards = (world: World, number: number, chatId = world.sim.salesChatId): TgMessage[] =>
  world.sim.messages(chatId).filter((message) => message.text?.startsWith(`Lead ${number} ·`));

export const card = (world: World, number: number, chatId?: number): Promise<TgMessage> =>
  world.sim.until(() => cards(world, number, chatId).at(-1), `the card of lead ${number}`, { timeoutMs: 20_000 });

/** Waits until the newest card of a lead shows this. */
export const cardSays = (world: World, number: number, text: string, chatId?: number) =>
  world.sim.until(
    () => cards(world, number, chatId).at(-1)?.text?.includes(text),
    `“${text}” on the card of lead ${number}`,
    { timeoutMs: 20_000 },
  );

export const dataOf = (message: TgMessage) =>
  message.reply_markup?.inline_keyboard.flat().map((button) => button.callback_data) ?? [];

/** Texts of one chat, joined. */
export const textsIn = (world: World, chatId: number) => world.sim.messages(chatId).map((m) => m.text ?? "");
