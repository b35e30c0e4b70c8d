/** The kiosk's calls over HTTP: tokens, bodies, methods, limits, headers, files. One real api, without a bot. */
import type { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { encode } from "uqr";
import { openDb } from "../shared/db.ts";
import { visitAtCamera, visitInQueue } from "./fresh.ts";
import { World } from "./world.ts";

const world = await World.open({ bot: false, env: { PACK_LIMIT: "2" } });
const db: Database = openDb(world.dataDir);
const get = (path: string, headers: Record<string, string> = {}) => world.call(path, { headers });
const setting = (name: string, value: unknown) =>
  db.query("INSERT OR REPLACE INTO settings VALUES (?, ?, 0)").run(name, JSON.stringify(value));

afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

test("a new visit: the contract's answer, a token that fits everywhere, a link that leads to the bot", async () => {
  const before = Date.now();
  const { status, body } = await world.post("/session", { kiosk: "hall-1", lang: "uz" });
  expect(status).toBe(201);
  expect(Object.keys(body).sort()).toEqual(["deep_link", "expires_at", "status", "token"]);
  expect(body.token).toMatch(/^[A-Za-z0-9_-]{22,48}$/);
  expect(`consent:${body.token}:yes`.length).toBeLessThanOrEqual(64);
  expect(body.deep_link).toBe(`${world.sim.root}/${world.sim.botUsername}?start=${body.token}`);
  expect(new Date(body.expires_at).toISOString()).toBe(body.expires_at);
  expect(Date.parse(body.expires_at) - before).toBeGreaterThanOrEqual(10 * 60_000);
  expect(await world.session(body.token)).toEqual({
    token: body.token,
    status: "created",
    lang: "uz",
    guest_name: null,
    template_id: null,
    deep_link: body.deep_link,
    expires_at: body.expires_at,
    queue_position: null,
    eta_seconds: null,
    problem: null,
  });
});

test("no body at all starts a visit in the first language; unknown fields are ignored", async () => {
  const bare = await world.call("/session", { method: "POST" });
  expect(bare.status).toBe(201);
  expect((await world.session(bare.body.token)).lang).toBe("ru");
  expect((await world.post("/session", { lang: "en", colour: "red", __proto__: { a: 1 } })).status).toBe(201);
});

test("tokens are never alike", async () => {
  const tokens = await Promise.all(Array.from({ length: 10 }, () => world.start()));
  expect(new Set(tokens).size).toBe(10);
});

const bodies: [string, unknown, number, string, string[]][] = [
  ["a language that we do not speak", { lang: "de" }, 422, "invalid", ["lang"]],
  ["a kiosk's name with a space", { kiosk: "hall 1" }, 422, "invalid", ["kiosk"]],
  ["two faults", { kiosk: 7, lang: null }, 422, "invalid", ["kiosk", "lang"]],
  ["a list", [], 400, "bad_request", []],
  ["null", null, 400, "bad_request", []],
  ["a string", "start", 400, "bad_request", []],
];
for (const [what, body, status, code, fields] of bodies) {
  test(`a start with ${what}: ${status} ${code}`, async () => {
    const answer = await world.post("/session", body);
    expect([answer.status, answer.body.error, Object.keys(answer.body.fields ?? {}).sort()]).toEqual([
      status,
      code,
      fields,
    ]);
    expect(JSON.stringify(answer.body)).not.toContain("hall 1");
  });
}

test("JSON that breaks off, another type, a body too large, one too large in pieces", async () => {
  const send = (body: RequestInit["body"], type = "application/json") =>
    world.call("/session", { method: "POST", body, headers: { "content-type": type } });
  const pieces = () =>
    new ReadableStream<Uint8Array>({
      start(stream) {
        for (let i = 0; i < 100; i++) stream.enqueue(new Uint8Array(1024).fill(32));
        stream.close();
      },
    });
  const codes = [];
  for (const answer of [
    await send('{"lang": "en'),
    await send("lang=en", "application/x-www-form-urlencoded"),
    await send(JSON.stringify({ kiosk: "x".repeat(70_000) })),
    await send(pieces()),
    await send(pieces(), "text/plain"),
    await send("{}", "text/plain"),
  ])
    codes.push(`${answer.status} ${answer.body.error}`);
  expect(codes).toEqual([
    "400 bad_request",
    "415 not_json",
    "413 too_large",
    "413 too_large",
    "415 not_json",
    "415 not_json",
  ]);
});

test("a token that is unknown, misshapen or somebody's guess is not found, on every path", async () => {
  const token = await world.start();
  const strange = [
    "x",
    "A".repeat(24),
    "A".repeat(49),
    `${token}x`,
    token.slice(1),
    token.toLowerCase(),
    "..%2f..%2fapp.db",
    "%00",
    "'--",
    "%D0%B0".repeat(24),
  ];
  for (const wrong of strange) {
    for (const tail of ["", "/qr.svg"])
      expect([wrong, (await get(`/session/${wrong}${tail}`)).status]).toEqual([wrong, 404]);
    for (const tail of ["/template", "/expire"])
      expect([wrong, tail, (await world.post(`/session/${wrong}${tail}`, { template_id: "chef" })).status]).toEqual([
        wrong,
        tail,
        404,
      ]);
    expect((await world.sendPhoto(wrong, world.selfie())).status).toBe(404);
  }
  expect((await get("/session/")).status).toBe(404);
  const { body } = await get(`/session/${"A".repeat(24)}`);
  expect(body).toEqual({ error: "not_found", message: "There is no such visit. Tap Start again." });
});

test("a visit whose time is over says so itself, to whoever asks first", async () => {
  const token = visitAtCamera(db, 900, Date.now());
  db.query("UPDATE sessions SET expires_at = ? WHERE token = ?").run(Date.now() - 1, token);
  const late = await world.post(`/session/${token}/template`, { template_id: "chef" });
  expect([late.status, late.body.error]).toEqual([409, "wrong_status"]);
  expect(await world.session(token)).toMatchObject({ status: "expired", problem: "timeout" });
  expect((await world.post(`/session/${token}/expire`)).body.problem).toBe("timeout");
});

test("expiring is repeatable, and leaves a visit that has its photo alone", async () => {
  const token = await world.start();
  for (let i = 0; i < 2; i++) {
    const answer = await world.post(`/session/${token}/expire`);
    expect([answer.status, answer.body.status, answer.body.problem]).toEqual([200, "expired", "reset"]);
  }
  const { token: drawing } = visitInQueue(db, 901, Date.now());
  expect((await world.post(`/session/${drawing}/expire`)).body.status).toBe("photo_taken");
  // A page that closes may send no type at all.
  expect((await world.call(`/session/${await world.start()}/expire`, { method: "POST" })).body.status).toBe("expired");
});

test("place in the queue and time: as the contract says", async () => {
  db.run("UPDATE jobs SET status = 'cancelled'");
  const [first, second] = [910, 911].map((guest) => visitInQueue(db, guest, Date.now()));
  const view = await world.session(second?.token ?? "");
  expect([view.status, view.queue_position]).toEqual(["photo_taken", 2]);
  expect(view.eta_seconds).toBeGreaterThan(0);
  db.query("UPDATE jobs SET status = 'running', owner = '1-x/1', lease_until = 9e12 WHERE id = ?").run(
    first?.jobId ?? 0,
  );
  expect((await world.session(first?.token ?? "")).queue_position).toBe(0);
  expect((await world.session(second?.token ?? "")).queue_position).toBe(1);
});

test("the QR code is the deep link", async () => {
  const token = await world.start();
  const { deep_link } = await world.session(token);
  const { status, body, headers } = await get(`/session/${token}/qr.svg`);
  expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  const { data, size } = encode(deep_link, { ecc: "M", border: 2 });
  // Each dark module is a rectangle of the one path.
  const side = Number(/viewBox="0 0 (\d+)/.exec(body)?.[1]) / size;
  const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y] of body.matchAll(/M(\d+),(\d+)h\d+v\d+h-\d+z/g)) {
    const row = drawn[Number(y) / side];
    if (row) row[Number(x) / side] = true;
  }
  expect(drawn).toEqual(data);
});

test("maintenance: 503 for new visits, those begun go on", async () => {
  const token = visitAtCamera(db, 920, Date.now());
  setting("maintenance", { reason: "paper", since: 0, by: "operator" });
  const refused = await world.post("/session");
  expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([503, "maintenance", "5"]);
  expect((await world.post(`/session/${token}/template`, { template_id: "chef" })).status).toBe(200);
  db.run("DELETE FROM settings WHERE name = 'maintenance'");
  expect((await world.post("/session")).status).toBe(201);
});

test("the log stays without tokens and names, and nothing in all this was our own failure", () => {
  const output = world.api?.output ?? "";
  const secrets = [...world.rows("SELECT token FROM sessions").map((r) => r.token), "Ann", world.sim.token];
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  expect(world.api?.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
