/**
 * `POST /leads` and `GET /session` of the real api process, against a bare `Bun.serve` and against Hono that do the least
 * that can be called the same: parse, one durable row, JSON back; and one row read, JSON back. Requests a second.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { freshFolder } from "../../fresh.ts";
import { World } from "../../world.ts";
import { hono } from "./peers.ts";

const AT_ONCE = 32;
const SECRET = "the-form's-secret-0123456789";

export type Rates = { get_session: number; post_leads: number };

async function rate(seconds: number, call: (nth: number) => Promise<Response>): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const started = performance.now();
  let count = 0;
  let nth = 0;
  const lane = async () => {
    while (performance.now() < until) {
      const response = await call(nth++);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return count / ((performance.now() - started) / 1000);
}

const leadOf = (nth: number) => ({
  request_id: crypto.randomUUID(),
  name: "Aziz",
  contact: "@aziz_events",
  locale: "uz",
  comment: "Two booths by the entrance",
  visitor_ip: `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`,
});

async function ratesOf(url: string, token: string, seconds: number): Promise<Rates> {
  const headers = { "content-type": "application/json", "x-stickers-leads-secret": SECRET };
  const get_session = await rate(seconds, () => fetch(`${url}/session/${token}`));
  const post_leads = await rate(seconds, (nth) =>
    fetch(`${url}/leads`, { method: "POST", headers, body: JSON.stringify(leadOf(nth)) }),
  );
  return { get_session, post_leads };
}

export async function ours(seconds: number): Promise<Rates> {
  await using world = await World.open({ bot: false, env: { LEADS_SECRET: SECRET } });
  return await ratesOf(world.url, await world.start(), seconds);
}

/** A peer in a process of its own, as the api is. */
export async function peer(kind: "bun_serve" | "hono", seconds: number): Promise<Rates> {
  using folder = freshFolder();
  const child = Bun.spawn([process.execPath, import.meta.path, kind, folder.path], {
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    const { value } = await child.stdout.getReader().read();
    return await ratesOf(new TextDecoder().decode(value).trim(), "token", seconds);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

async function serve(kind: string, path: string) {
  const db = new Database(join(path, "peer.db"), { create: true, strict: true });
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) db.run(`PRAGMA ${pragma}`);
  db.run("CREATE TABLE sessions (token TEXT PRIMARY KEY, status TEXT, lang TEXT)");
  db.run(
    "CREATE TABLE leads (number INTEGER PRIMARY KEY, request_id TEXT UNIQUE, name TEXT, contact TEXT, comment TEXT)",
  );
  db.run("INSERT INTO sessions VALUES ('token', 'created', 'uz')");
  const read = (token: string) => db.query("SELECT * FROM sessions WHERE token = ?").get(token);
  const store = (body: unknown) => {
    const { request_id, name, contact, comment } = body as Record<string, string>;
    return db
      .query("INSERT INTO leads (request_id, name, contact, comment) VALUES (?, ?, ?, ?) RETURNING number")
      .get(request_id as string, name as string, contact as string, comment as string);
  };
  let fetch = async (request: Request): Promise<Response> => {
    if (request.method === "POST") return Response.json(store(await request.json()), { status: 201 });
    return Response.json(read(request.url.slice(request.url.lastIndexOf("/") + 1)));
  };
  if (kind === "hono") {
    const { Hono } = await hono();
    const app = new Hono();
    app.get("/session/:token", (context) => context.json(read(context.req.param("token"))));
    app.post("/leads", async (context) => context.json(store(await context.req.json()), 201));
    fetch = async (request) => app.fetch(request);
  }
  console.log(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch }).url.origin);
}

if (import.meta.main) await serve(process.argv[2] ?? "", process.argv[3] ?? "");
