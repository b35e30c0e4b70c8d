import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDesk, post, request, SECRET, TEST_MS } from "./leads-world.ts";
import type { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openDesk({ bot: false });
}, TEST_MS);
afterAll(() => world[Symbol.asyncDispose]());

const rowsOf = (requestId: unknown) => world.rows("SELECT * FROM leads WHERE request_id = ?", String(requestId));

test("a request is stored once: 201, then 200 with the same number, whatever the repeat says", async () => {
  const body = request({ name: "First" });
  const first = await post(world, body);
  expect(first.body).toEqual({ number: first.body.number, duplicate: false });
  expect([first.status, first.body.number > 0]).toEqual([201, true]);
  const again = await post(world, { ...body, name: "Second", request_id: String(body.request_id).toUpperCase() });
  expect(again).toMatchObject({ status: 200, body: { number: first.body.number, duplicate: true } });
  expect(rowsOf(body.request_id)).toMatchObject([{ name: "First", status: "new", published_at: null }]);
  expect(
    world.rows("SELECT before, after FROM history WHERE machine = 'leads' AND subject = ?", String(first.body.number)),
  ).toEqual([{ before: null, after: "new" }]);
});

test("twelve equal requests at once are one lead", async () => {
  const body = request();
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(world, body)));
  expect(answers.filter((a) => a.status === 201)).toHaveLength(1);
  expect(answers.filter((a) => a.status === 200 && a.body.duplicate === true)).toHaveLength(11);
  expect(new Set(answers.map((a) => a.body.number)).size).toBe(1);
  expect(rowsOf(body.request_id)).toHaveLength(1);
});

test("many different requests at once each get their own number", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => post(world, request())));
  expect(answers.map((a) => a.status)).toEqual(Array(40).fill(201));
  expect(new Set(answers.map((a) => a.body.number)).size).toBe(40);
});

test("every faulty field is named in one answer, each with its own sentence", async () => {
  const { status, body } = await post(world, {
    request_id: "no",
    name: "   ",
    contact: "ab",
    event_type: "funeral",
    event_date: "2027-02-31",
    guests: "12",
    city: "c".repeat(101),
    comment: "c".repeat(2001),
    page: "p".repeat(501),
    utm: { source: 1 },
    visitor_ip: 7,
  });
  expect([status, body.error]).toEqual([422, "invalid"]);
  expect(Object.keys(body.fields).sort()).toEqual([
    "city",
    "comment",
    "contact",
    "event_date",
    "event_type",
    "guests",
    "locale",
    "name",
    "page",
    "request_id",
    "utm",
    "visitor_ip",
  ]);
  expect(body.fields.event_date).toBe("must be a day of the calendar as YYYY-MM-DD");
  expect(body.fields.guests).toBe("must be a whole number from 1 to 100000");
});

test.each([
  ["name", "101 emoji", "😀".repeat(101)],
  ["name", "a list", ["a"]],
  ["name", "what nobody sees", "\u200b\u3164\u0001"],
  ["contact", "what nobody sees", "\u200b\u2060\u00ad\u2800"],
  ["guests", "nobody", 0],
  ["guests", "too many", 100_001],
  ["guests", "one and a half", 1.5],
  ["event_date", "month 13", "2027-13-01"],
  ["event_date", "another order", "01.05.2027"],
  ["locale", "another language", "de"],
  ["utm", "text", "source=x"],
  ["utm", "a long string", { source: "x".repeat(501) }],
  ["utm", "too much", Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, "v"]))],
])("%s does not take %s", async (field, _, value) => {
  const { status, body } = await post(world, request({ [field]: value }));
  expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]]);
});

test.each([
  ["a name of 100 emoji", { name: "😀".repeat(100) }],
  ["right-to-left text", { name: "محمد", comment: "שלום \u202e evil" }],
  ["a comment of 2000 emoji", { comment: "🎉".repeat(2000) }],
  ["the last day of February in a leap year", { event_date: "2028-02-29" }],
  ["fields left empty", { city: "", comment: "", event_type: null, guests: null, utm: {} }],
  ["fields that nobody knows", { telephone: "no", __proto__x: 1 }],
  ["half a character and a NUL", { name: "a\ud800b\u0000c" }],
])("%s is taken as it is", async (_, more) => {
  const body = request(more);
  expect((await post(world, body)).status).toBe(201);
  const [row] = rowsOf(body.request_id);
  const { name, comment } = body as { name: string; comment?: string };
  expect(row.name).toBe(name.toWellFormed());
  expect(row.comment).toBe(comment || null);
});

test("what is too large, no JSON or no object", async () => {
  const send = (body: BodyInit, type = "application/json") =>
    world.call("/leads", {
      method: "POST",
      body,
      headers: { "content-type": type, "x-stickers-leads-secret": SECRET },
    });
  const megabyte = JSON.stringify(request({ comment: "x".repeat(1_000_000) }));
  expect((await send(megabyte)).status).toBe(413);
  const inPieces = new ReadableStream({
    start(stream) {
      for (let i = 0; i < megabyte.length; i += 50_000)
        stream.enqueue(new TextEncoder().encode(megabyte.slice(i, i + 50_000)));
      stream.close();
    },
  });
  expect((await send(inPieces)).status).toBe(413);
  expect((await send("name=Aziz", "application/x-www-form-urlencoded")).status).toBe(415);
  expect((await send("{not json")).status).toBe(415);
  expect((await send("[1]")).status).toBe(422);
  expect((await send("")).status).toBe(422);
  expect((await world.call("/leads", { headers: { "x-stickers-leads-secret": SECRET } })).status).toBe(405);
});

test("a filled honeypot hears of success and leaves nothing", async () => {
  const before = world.rows("SELECT count(*) AS n FROM leads")[0].n;
  for (const more of [{}, { guests: "12", name: "" }]) {
    const body = request({ website: "http://spam.example", ...more });
    const { status, body: answer } = await post(world, body);
    expect([status, Number.isInteger(answer.number), answer.duplicate]).toEqual([201, true, false]);
    expect(rowsOf(body.request_id)).toEqual([]);
  }
  expect(world.rows("SELECT count(*) AS n FROM leads")[0].n).toBe(before);
  expect((await post(world, request({ website: "" }))).body.duplicate).toBe(false);
});

test(
  "the answer comes only after the commit: kill -9 right after the 201 loses nothing",
  async () => {
    const bodies = Array.from({ length: 20 }, () => request());
    const stored: string[] = [];
    await Promise.all(
      bodies.map(async (body, i) => {
        const answer = await post(world, body).catch(() => null);
        if (answer?.status === 201) stored.push(String(body.request_id));
        if (i === 0) world.api?.process.kill("SIGKILL");
      }),
    );
    await world.api?.process.exited;
    expect(stored.length).toBeGreaterThan(0);
    for (const id of stored) expect(rowsOf(id)).toHaveLength(1);
    await world.startApi();
  },
  TEST_MS,
);

test(
  "the sixth new request of a visitor in ten minutes is refused, over a restart; known ones are answered",
  async () => {
    const visitor_ip = "203.0.113.77";
    const first = request({ visitor_ip });
    expect((await post(world, first)).status).toBe(201);
    for (let i = 0; i < 4; i++) expect((await post(world, request({ visitor_ip }))).status).toBe(201);
    for (let i = 0; i < 3; i++) expect((await post(world, first)).status).toBe(200);
    await world.api?.end("SIGKILL");
    await world.startApi();
    const sixth = await post(world, request({ visitor_ip: `::ffff:${visitor_ip}` }));
    expect(sixth).toMatchObject({ status: 429, body: { error: "too_many" } });
    const wait = Number(sixth.headers.get("retry-after"));
    expect(wait > 0 && wait <= 600).toBe(true);
    expect((await post(world, first)).status).toBe(200);
    expect((await post(world, request({ visitor_ip: "203.0.113.78" }))).status).toBe(201);
    // The operators hear of it once, from the api itself; nothing goes to the group.
    await post(world, request({ visitor_ip }));
    await world.sim.until(() => world.sim.sent("sendMessage").length > 0, "the flood alert");
    expect(
      world.sim.sent("sendMessage").map((call) => [call.params.chat_id, String(call.params.text).includes("floods")]),
    ).toEqual([[world.sim.operatorsChatId, true]]);
  },
  TEST_MS,
);

test("a neighbour in the same IPv6 network is the same visitor", async () => {
  for (let i = 0; i < 5; i++) {
    expect((await post(world, request({ visitor_ip: `2001:db8:1:2::${i}` }))).status).toBe(201);
  }
  expect((await post(world, request({ visitor_ip: "2001:db8:1:2:ffff::1" }))).status).toBe(429);
  expect((await post(world, request({ visitor_ip: "2001:db8:1:3::1" }))).status).toBe(201);
});

test("a form that does not know its visitors is limited as a whole, far more loosely", async () => {
  const answers = await Promise.all(Array.from({ length: 61 }, () => post(world, request({ visitor_ip: undefined }))));
  expect(answers.filter((a) => a.status === 201)).toHaveLength(60);
  expect(answers.filter((a) => a.status === 429)).toHaveLength(1);
});

test("addresses are stored nowhere", async () => {
  const files = ["app.db", "app.db-wal"].map((name) => readFileSync(join(world.dataDir, name)).toString("latin1"));
  for (const address of ["203.0.113.77", "198.51.0.", "2001:db8", "127.0.0.1"])
    for (const file of files) expect(file).not.toContain(address);
  expect(world.api?.output).not.toContain("203.0.113.77");
});

test(
  "five wrong secrets lock a caller out, the right one included, over a restart; others come in",
  async () => {
    const from = (caller: string) => ({ "x-forwarded-for": `1.2.3.4, ${caller}` });
    const wrong = (caller: string, secret = "wrong") =>
      post(world, request(), { "x-stickers-leads-secret": secret, ...from(caller) });
    for (let i = 0; i < 4; i++) expect((await wrong("192.0.2.50")).status).toBe(401);
    expect((await post(world, request(), from("192.0.2.50"))).status).toBe(201);
    expect((await wrong("192.0.2.50", "")).status).toBe(401);
    expect((await post(world, request(), from("192.0.2.50"))).status).toBe(401);
    await world.api?.end("SIGKILL");
    await world.startApi();
    expect(await post(world, request(), from("192.0.2.50"))).toMatchObject({
      status: 401,
      body: { error: "unauthorized" },
    });
    expect((await post(world, request(), from("192.0.2.51"))).status).toBe(201);
    expect(world.rows("SELECT count(*) AS n FROM notices WHERE payload LIKE '%locked out%'")[0].n).toBe(1);
  },
  TEST_MS,
);

test("no other spelling of the address goes round the secret", async () => {
  for (const path of ["/leads/", "/leads//", "/LEADS", "/%6ceads", "//leads", "/./leads", "/leads?x=1"]) {
    const { status } = await world.post(path, request(), { "x-forwarded-for": "192.0.2.99" });
    expect(`${path} ${[401, 404, 405].includes(status) ? "refused" : status}`).toBe(`${path} refused`);
  }
});

test("the health report counts what waits", async () => {
  const { body } = await world.call("/health");
  expect(body.outbox.leads).toBe(world.rows("SELECT count(*) AS n FROM leads")[0].n);
  expect(body.outbox.oldest_lead_seconds).toBeGreaterThanOrEqual(0);
});

test(
  "without a secret there is no such address",
  async () => {
    await using closed = await openDesk({ bot: false, env: { LEADS_SECRET: "" } });
    for (const secret of ["", SECRET]) {
      expect((await closed.post("/leads", request(), { "x-stickers-leads-secret": secret })).status).toBe(404);
    }
    expect((await closed.call("/leads", { method: "POST", body: "no json" })).status).toBe(404);
  },
  TEST_MS,
);
