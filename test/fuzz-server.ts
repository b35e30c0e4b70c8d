/** The real api on a port of its own, and a judge of everything that it answers. */
import { expect } from "bun:test";
import { createApp } from "../api/app.ts";
import { freshConfig, freshDb, freshLog } from "./fresh.ts";

const SECRET = "the-form's-secret-0123456789";
const BASIC = `Basic ${Buffer.from("boss:correct-horse").toString("base64")}`;
const ANSWER_MS = 20_000;
/** No limit by the clock is met: each look at it is a minute later. */
const STEP_MS = 61_000;

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

  return {
    app,
    db: fresh.db,
    dataDir: fresh.dataDir,
    now,
    counted: (table: string) => (fresh.db.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n,

    /** Calls as one who knows every secret, and holds the answer against the contract's form. */
    async judged(method: string, path: string, init: RequestInit = {}): Promise<Judged> {
      const response = await fetch(url + path, {
        method,
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MS),
        ...init,
        headers: { "x-stickers-leads-secret": SECRET, authorization: BASIC, ...init.headers },
      });
      const { status } = response;
      const body = await response.text();
      if (path.startsWith("/health")) return { status, body };
      const isPause = status === 503 && body.includes('"maintenance"');
      if (status >= 500 && !isPause)
        throw new Error(`${method} ${path.slice(0, 200)} → ${status} ${body.slice(0, 300)} ${lines.at(-1) ?? ""}`);
      if (status >= 400 && method !== "HEAD") expectErrorForm(body);
      return { status, body };
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
