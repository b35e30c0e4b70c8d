/** Caddy from Debian's packages in front of the real api. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "./deploy/booth.ts";
import { canCaddy, type Reply, startCaddy } from "./deploy/caddy.ts";
import { fixture, World } from "./world.ts";

const MEGABYTE = 1_000_000;
/** A little less than Caddy has a request wait for the api (`lb_try_duration`). */
const WAITS_MS = 4500;
const json = ["-X", "POST", "-H", "Content-Type: application/json"];

/** A valid JPEG of a wanted size: comments swell it. */
function heavyPhoto(bytes: number): Uint8Array {
  const photo = fixture("selfie.jpg");
  const comment = new Uint8Array(65_535 + 2);
  comment.set([0xff, 0xfe, 0xff, 0xff]);
  const comments = Array.from({ length: Math.floor((bytes - photo.length) / comment.length) }, () => comment);
  return Buffer.concat([photo.subarray(0, 2), ...comments, photo.subarray(2)]);
}

function expectGuarded({ headers }: Reply) {
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("permissions-policy")).toBe("camera=(self), microphone=(), geolocation=()");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  for (const name of ["server", "alt-svc", "via", "x-powered-by"])
    expect([name, headers.get(name)]).toEqual([name, null]);
}

describe.if(canCaddy)("behind Caddy", () => {
  test("pages come by HTTP/2, guarded, packed, and unchanged ones as 304; plain HTTP is sent to TLS", async () => {
    await using world = await World.open({ bot: false });
    await using caddy = await startCaddy(new URL(world.url).host);
    const page = await caddy.curl("/", "--http2", "--compressed");
    expect([page.status, page.version]).toEqual([200, "2"]);
    expectGuarded(page);
    expect(page.body).toContain("<!doctype html>");
    expect(page.headers.get("content-encoding")).toMatch(/^(gzip|zstd)$/);
    // The api's own policy fits its pages and is not replaced.
    expect(page.headers.get("content-security-policy")).toBe(
      (await world.call("/")).headers.get("content-security-policy"),
    );
    const etag = page.headers.get("etag") as string;
    const again = await caddy.curl("/", "--compressed", "-H", `If-None-Match: ${etag}`);
    expect([again.status, again.body]).toEqual([304, ""]);
    expect((await caddy.curl("/templates?lang=en")).body).toContain("Astronaut");
    const missing = await caddy.curl("/nothing");
    expect([missing.status, JSON.parse(missing.body).error]).toEqual([404, "not_found"]);
    expectGuarded(missing);
    const plain = await caddy.redirect();
    expect([plain.status, plain.headers.get("location")]).toEqual([308, expect.stringMatching(/^https:/)]);
  });

  test("a photo of 14 MB becomes a job; over 15 MB the api refuses, over 20 MB Caddy, told or not", async () => {
    await using world = await World.open();
    await using caddy = await startCaddy(new URL(world.url).host);
    using files = scratch();
    const file = (name: string, bytes: Uint8Array) => {
      writeFileSync(join(files.path, name), bytes);
      return join(files.path, name);
    };
    const token = await world.visit(7001);
    const form = (path: string) => ["-F", `photo=@${path};type=image/jpeg`];
    // Again and again: an answer to an upload that is still coming has many ways to get lost.
    const refusals = async (times: number, ...options: string[]) => {
      for (let i = 0; i < times; i++) {
        const refused = await caddy.curl(`/session/${token}/photo`, ...options);
        expect([refused.status, JSON.parse(refused.body).error]).toEqual([413, "too_large"]);
        expectGuarded(refused);
      }
    };
    const tooLarge = file("16.jpg", heavyPhoto(16 * MEGABYTE));
    for (const version of ["--http2", "--http1.1"]) await refusals(12, version, ...form(tooLarge));
    const huge = file("21.jpg", heavyPhoto(21 * MEGABYTE));
    const multipart = ["-H", "Content-Type: multipart/form-data; boundary=x"];
    await refusals(6, "--http1.1", ...form(huge));
    await refusals(3, "--http1.1", "-T", huge, "-X", "POST", ...multipart, "-H", "Transfer-Encoding: chunked");
    // Old versions of curl stop listening when they are refused while they send by HTTP/2; browsers do not.
    for (let i = 0; i < 12; i++) {
      const refused = await caddy.upload(
        `/session/${token}/photo`,
        readFileSync(huge),
        "multipart/form-data; boundary=x",
      );
      expect([refused.status, JSON.parse(refused.body).error]).toEqual([413, "too_large"]);
    }
    const photo = file("14.jpg", heavyPhoto(14 * MEGABYTE));
    expect(Bun.file(photo).size).toBeGreaterThan(13.9 * MEGABYTE);
    const accepted = await caddy.curl(`/session/${token}/photo`, "--http2", ...form(photo));
    expect([accepted.status, JSON.parse(accepted.body).status]).toEqual([202, "photo_taken"]);
    expect(world.rows("SELECT count(*) AS n FROM jobs")).toEqual([{ n: 1 }]);
  });

  test("what is refused before it is read is refused in words all the same: a key, a visit, a type", async () => {
    await using world = await World.open({ bot: false, env: { KIOSK_KEY: "the-hall's-key" } });
    await using caddy = await startCaddy(new URL(world.url).host);
    using files = scratch();
    const path = join(files.path, "14.jpg");
    writeFileSync(path, heavyPhoto(14 * MEGABYTE));
    const key = ["-H", "X-Kiosk-Key: the-hall's-key"];
    const photo = ["-F", `photo=@${path};type=image/jpeg`];
    const nobody = `/session/${"A".repeat(24)}/photo`;
    for (const [status, error, options] of [
      [401, "kiosk_key", photo],
      [404, "not_found", [...key, ...photo]],
      [415, "not_multipart", [...key, "-X", "POST", "-H", "Content-Type: image/jpeg", "--data-binary", `@${path}`]],
    ] as const) {
      for (let i = 0; i < 6; i++) {
        const refused = await caddy.curl(nobody, "--http2", ...options);
        expect([refused.status, JSON.parse(refused.body).error]).toEqual([status, error]);
      }
    }
  });

  test("the api counts by the real peer: a claimed X-Forwarded-For changes nothing", async () => {
    await using world = await World.open({ bot: false });
    await using caddy = await startCaddy(new URL(world.url).host);
    const start = (...options: string[]) => caddy.curl("/session", ...json, "-d", "{}", ...options);
    // A caller may start 60 visits a minute; curl sends them over one connection.
    const many = await caddy.curl(
      `/session?n=[1-61]`,
      ...json,
      "-d",
      "{}",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code} ",
      "-H",
      "X-Forwarded-For: 203.0.113.9",
    );
    expect(many.body.trim().split(" ").map(Number)).toEqual([...Array(60).fill(201), 429]);
    for (const claim of [
      "X-Forwarded-For: 198.51.100.7",
      "X-Forwarded-For: 198.51.100.8, 127.0.0.3",
      "Forwarded: for=9.9.9.9",
    ])
      expect((await start("-H", claim)).status).toBe(429);
    expect((await start("--interface", "127.0.0.2")).status).toBe(201);
  });

  test("while the api is down the answer is honest and guarded, and it comes back by itself", async () => {
    await using world = await World.open({ bot: false });
    const { host, port } = new URL(world.url);
    await using caddy = await startCaddy(host);
    await world.api?.end();
    const down = await caddy.curl("/health");
    expect([down.status, JSON.parse(down.body).error, down.headers.get("retry-after")]).toEqual([
      503,
      "unavailable",
      "5",
    ]);
    expectGuarded(down);
    // A request that meets a restart waits for it. Where starting took longer than Caddy waits, it is started anew.
    for (let inTime = false; !inTime; ) {
      await world.api?.end();
      const from = performance.now();
      const waiting = caddy.curl("/templates");
      await world.startApi({ PORT: port });
      inTime = performance.now() - from < WAITS_MS;
      const { status } = await waiting;
      if (inTime) expect(status).toBe(200);
    }
  });

  test("logs say what was asked, never by whom or for which visit", async () => {
    await using world = await World.open({ bot: false });
    await using caddy = await startCaddy(new URL(world.url).host);
    const token = await world.start();
    const secrets = ["-H", "X-Kiosk-Key: kiosk-secret", "-H", "User-Agent: Tablet-77", "-u", "admin:pass-word"];
    await caddy.curl(`/session/${token}?name=Aziza`, ...secrets);
    await caddy.curl(`/session/${token}/qr.svg`, ...secrets);
    await world.api?.end();
    await caddy.curl(`/session/${token}?name=Aziza`, ...secrets);
    const log = caddy.accessLog();
    expect(
      log
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).status),
    ).toEqual([200, 200, 503]);
    expect(log).toContain(`"/session/${token.slice(0, 8)}"`);
    for (const text of [log, caddy.ownLog])
      for (const word of [
        token,
        "127.0.0.1:5",
        "remote_ip",
        "kiosk-secret",
        "Tablet-77",
        "Aziza",
        "pass-word",
        "YWRtaW4",
      ])
        expect([word, text.includes(word)]).toEqual([word, false]);
  });
});
