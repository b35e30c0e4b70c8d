/** The real api on a port of its own, and a judge of everything that it answers. */
import { expect } from "bun:test";
import { createApp } from "../api/app.ts";
import { freshConfig, freshDb, freshLog } from "./fresh.ts";
import { holdingsOf, inTime } from "./fuzz-judge.ts";

const SECRET = "the-form's-secret-0123456789";
const BASIC = `Basic ${Buffer.from("boss:correct-horse").toString("base64")}`;
/** No limit by the clock is met: each look at it is a minute later. */
const STEP_MS = 61_000;
/** A longer head of a request Bun refuses itself, with an empty 431, before any of ours hears of it. */
const HEAD_BYTES = 16 * 1024;
/** What `fetch` and `asked` write into it beside the address. */
const OTHER_HEAD_BYTES = 1024;

export type Judged = { status: number; body: string };

export function openApi() {
  const fresh = freshDb();
  // Nothing here has to outlast a power cut.
  fresh.db.run("PRAGMA synchronous = OFF");
  const { log, lines } = freshLog("warn");
  const config = freshConfig({
    LEADS_SECRET: SECRET,
    ADMIN_USER: "boss",
    ADMIN_PASSWORD: "correct-horse",
    DATA_DIR: fresh.dataDir,
    PACK_LIMIT: "0",
  });
  let at = Date.now();
  const now = () => {
    at += STEP_MS;
    return at;
  };
  const app = createApp({ db: fresh.db, config, log, telegram: { tell: () => {} }, now, version: "1" });
  app.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${app.server?.port}`;

  const holdings = holdingsOf(fresh.db, fresh.dataDir);
  const counted = (table: string) => holdings().rows[table] ?? Number.NaN;

  /** Calls as one who knows every secret, and holds the answer against the contract's form. */
  async function asked(method: string, path: string, init: RequestInit = {}): Promise<Judged> {
    const shown = `${method} ${path.slice(0, 200)}`;
    const headers = { "x-stickers-leads-secret": SECRET, authorization: BASIC, ...init.headers };
    const { status, body } = await inTime(
      `${shown} ${typeof init.body === "string" ? init.body.slice(0, 300) : ""}`,
      async (signal) => {
        const response = await fetch(url + path, { method, redirect: "manual", signal, ...init, headers });
        return { status: response.status, body: await response.text() };
      },
    );
    if (path.startsWith("/health")) return { status, body };
    const isPause = status === 503 && body.includes('"maintenance"');
    if (status >= 500 && !isPause) throw new Error(`${shown} → ${status} ${body.slice(0, 300)} ${lines.at(-1) ?? ""}`);
    const isBuns = status === 431 && body === "" && path.length > HEAD_BYTES - OTHER_HEAD_BYTES;
    if (status >= 400 && method !== "HEAD" && !isBuns) expectErrorForm(body);
    return { status, body };
  }

  return {
    app,
    db: fresh.db,
    dataDir: fresh.dataDir,
    now,
    counted,
    holdings,
    asked,

    /** As `asked`; a refused call leaves every table and every file as they were. */
    async judged(method: string, path: string, init: RequestInit = {}): Promise<Judged> {
      const before = holdings();
      const answer = await asked(method, path, init);
      if (answer.status >= 400) expect(holdings()).toEqual(before);
      return answer;
    },

    async close() {
      await app.stop(true);
      fresh[Symbol.dispose]();
    },
  };
}

function expectErrorForm(body: string) {
  const error = JSON.parse(body) as Record<string, unknown>;
  expect(Object.keys(error).filter((key) => !["error", "message", "fields"].includes(key))).toEqual([]);
  expect(typeof error.error).toBe("string");
  expect(typeof error.message).toBe("string");
  for (const sentence of Object.values(error.fields ?? {})) expect(typeof sentence).toBe("string");
  // Nothing of our insides.
  expect(body).not.toMatch(/\bat \w+ \(|node_modules|sqlite/i);
}

export const json = (body: string) => ({ body, headers: { "content-type": "application/json" } });
