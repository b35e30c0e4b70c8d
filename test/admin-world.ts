/** What the tests of the operators' side share: a world with a user and a password, and calls as the page makes them. */
import type { Database } from "bun:sqlite";
import { createApp } from "../api/app.ts";
import type { ApiContext } from "../api/context.ts";
import { effective } from "../shared/overrides.ts";
import { freshConfig, freshLog } from "./fresh.ts";
import { type Answer, type Env, World, type WorldOptions } from "./world.ts";
import { evening } from "./zones.ts";

export const USER = "operator";
export const PASSWORD = "correct horse: battery";
export const AUTH = basic(USER, PASSWORD);
export const TEST_MS = 60_000;

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

export const openBooth = (options: WorldOptions = {}) =>
  World.open({
    ...options,
    env: { ADMIN_USER: USER, ADMIN_PASSWORD: PASSWORD, TZ_NAME: evening(), ...options.env },
  });

/** A call of the page: with the password, and for a change as same-origin JSON. */
export function admin(world: World, call: string, body?: unknown, headers: Env = {}): Promise<Answer> {
  const [method = "GET", path = ""] = call.split(" ");
  const changes = method !== "GET";
  return world.call(`/admin/api/${path}`, {
    method,
    headers: {
      authorization: AUTH,
      ...(changes
        ? { "content-type": "application/json", origin: new URL(world.url).origin, "sec-fetch-site": "same-origin" }
        : {}),
      ...headers,
    },
    ...(changes ? { body: JSON.stringify(body ?? {}) } : {}),
  });
}

/** What the api is made of, over a database of the test's own. */
export const adminContext = (db: Database, env: Env = {}): ApiContext => ({
  db,
  config: effective(db, freshConfig({ ADMIN_USER: USER, ADMIN_PASSWORD: PASSWORD, ...env })),
  log: freshLog().log,
  telegram: { tell() {} },
  now: Date.now,
  version: "1",
});

/** Every route under `/admin`, as the api has it. */
export const adminRoutesOf = (db: Database): { method: string; path: string }[] =>
  createApp(adminContext(db))
    .routes.filter(({ path }) => path.startsWith("/admin"))
    .map(({ method, path }) => ({ method, path }));
