/**
 * Servers to compare `POST /leads` with, all with the product's database, pragmas and insert, and without its logs,
 * lockouts and headers: `bun server.ts bare|bare-grouped|hono DATA_DIR`. Prints its port.
 */

import { leadFaults, leadOf } from "../../../api/lead-rules.ts";
import { addressMarks } from "../../../shared/addresses.ts";
import { openDb, transact } from "../../../shared/db.ts";
import { groupCommit } from "../../../shared/group-commit.ts";
import { type NewLead, takeLead } from "../../../shared/leads/intake.ts";

type Body = Record<string, unknown>;
type HonoContext = {
  req: { header(name: string): string | undefined; json(): Promise<Body> };
  json(body: object, status?: number): Response;
};
type HonoApp = {
  post(path: string, handler: (c: HonoContext) => Promise<Response>): void;
  fetch(r: Request): Response;
};

const [kind = "", dataDir = ""] = process.argv.slice(2);
const secret = process.env.LEADS_SECRET;
const db = openDb(dataDir);
const mark = addressMarks(db, {}, Date.now());
const commit = groupCommit(db);

const take = (body: Body) =>
  takeLead(db, body as NewLead, { mark: mark(String(body.visitor_ip)), limit: 5 }, Date.now());
const answer = (taken: ReturnType<typeof take>) =>
  taken.kind === "flood"
    ? { status: 429, body: {} }
    : {
        status: taken.kind === "stored" ? 201 : 200,
        body: { number: taken.number, duplicate: taken.kind === "known" },
      };

const servers: Record<string, () => Promise<(request: Request) => Response | Promise<Response>>> = {
  async bare() {
    return async (request) => {
      const body = (await request.json()) as Body;
      const made = answer(transact(db, () => take(body)));
      return Response.json(made.body, { status: made.status });
    };
  },
  async "bare-grouped"() {
    return async (request) => {
      const body = (await request.json()) as Body;
      const made = answer(await commit(() => take(body)));
      return Response.json(made.body, { status: made.status });
    };
  },
  async hono() {
    const name: string = "hono";
    const { Hono } = (await import(name)) as { Hono: new () => HonoApp };
    const app = new Hono();
    app.post("/leads", async (c) => {
      if (c.req.header("x-stickers-leads-secret") !== secret) return c.json({ error: "unauthorized" }, 401);
      const body = await c.req.json();
      const fields = leadFaults(body);
      if (fields) return c.json({ error: "invalid", fields }, 422);
      const made = answer(transact(db, () => take(leadOf(body))));
      return c.json(made.body, made.status);
    });
    return app.fetch;
  },
};

const fetch = await servers[kind]?.();
if (!fetch) throw new Error(`no server ${kind}`);
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: false, fetch });
console.log(JSON.stringify({ message: "listening", port: server.port }));
