/** The api as a server: methods, headers, files, limits. One real api, without a bot. */
import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { World } from "./world.ts";

const world = await World.open({ bot: false });
const get = (path: string, headers: Record<string, string> = {}) => world.call(path, { headers });

/** The status of a path sent as it is: fetch would tidy it up first. */
async function statusOf(path: string): Promise<number> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: booth\r\nConnection: close\r\n\r\n`);
  for await (const piece of socket) return Number(/^HTTP\/1\.1 (\d+)/.exec(String(piece))?.[1]);
  return 0;
}

afterAll(() => world[Symbol.asyncDispose]());

test("methods: HEAD is GET without a body, others are told which ones there are", async () => {
  const token = await world.start();
  for (const path of ["/", "/health", `/session/${token}`, "/templates", "/main.js"]) {
    const [head, whole] = [await fetch(world.url + path, { method: "HEAD" }), await get(path)];
    expect([path, head.status, await head.text()]).toEqual([path, whole.status, ""]);
    expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
  }
  for (const [method, path] of [
    ["PUT", "/session"],
    ["DELETE", `/session/${token}`],
    ["GET", `/session/${token}/photo`],
    ["PATCH", "/templates"],
    ["POST", "/health"],
    ["GET", "/session"],
    ["OPTIONS", `/session/${token}`],
  ] as const) {
    const answer = await world.call(path, { method });
    expect([method, path, answer.status, answer.body.error]).toEqual([method, path, 405, "method_not_allowed"]);
    expect(answer.headers.get("allow")).toMatch(/GET|POST/);
  }
  const nothing = await world.post("/nothing");
  expect([nothing.status, nothing.body]).toEqual([
    404,
    { error: "not_found", message: "There is nothing at this address." },
  ]);
});

test("a value that no sentence could quote breaks its rule like any other", async () => {
  for (const value of [{ toString: 1, valueOf: 1 }, { toString: null }, [{ toString: 1, valueOf: 1 }]]) {
    for (const [path, field] of [
      ["/session", "kiosk"],
      ["/session", "lang"],
      ["/kiosk/heartbeat", "kiosk"],
      ["/kiosk/heartbeat", "version"],
    ] as const) {
      const { status, body } = await world.post(path, { [field]: value });
      expect([path, field, status, body.error]).toEqual([path, field, 422, "invalid"]);
      expect(body.fields[field]).toStartWith("must be ");
    }
  }
});

test("every answer has the security headers, errors and files too", async () => {
  const token = await world.start();
  const answers = [
    await get("/"),
    await get("/main.js"),
    await get("/templates"),
    await get(`/session/${token}/qr.svg`),
    await get("/nothing"),
    await get("/health"),
    await world.post("/session", { lang: "de" }),
    await world.call("/session", { method: "PUT" }),
    await get("/", { "if-none-match": (await get("/")).headers.get("etag") ?? "" }),
  ];
  for (const { headers } of answers) {
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("permissions-policy")).toContain("camera=(self)");
  }
  expect((await get("/main.js")).headers.get("cache-control")).toBe("no-cache");
  for (const answer of [await get(`/session/${token}`), await world.post("/session"), await get("/templates")])
    expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("files: ETag, 304, and no way out of the folder", async () => {
  const page = await get("/");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const etag = page.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]+"$/);
  for (const known of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
    const again = await get("/", { "if-none-match": known });
    expect([known, again.status, again.body.length, again.headers.get("etag")]).toEqual([known, 304, 0, etag]);
  }
  expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
  for (const path of [
    "/../package.json",
    "/..%2fpackage.json",
    "/%2e%2e/package.json",
    "/outfits/../../shared/config.ts",
    "//etc/passwd",
    "/.env",
    "/kiosk/../api/main.ts",
    "/\\..\\package.json",
  ])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
});

test("more than sixty starts a minute from one address: 429 with Retry-After, others go on", async () => {
  const from = (address: string) => world.post("/session", {}, { "x-forwarded-for": `6.6.6.6, ${address}` });
  const answers = await Promise.all(Array.from({ length: 61 }, () => from("203.0.113.9")));
  expect(answers.filter((a) => a.status === 201)).toHaveLength(60);
  const late = answers.find((a) => a.status !== 201);
  expect([late?.status, late?.body.error]).toEqual([429, "too_many"]);
  expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await from("203.0.113.10")).status).toBe(201);
});
