import { expect, test } from "bun:test";
import { createLanding } from "../landing/handler.ts";
import type { LandingSettings } from "../landing/settings.ts";
import { LOCALES, TEXTS } from "../landing/texts/index.ts";
import {
  CHAT,
  closedOrigin,
  fieldValue,
  post,
  type Reply,
  RU,
  SECRET,
  SENT,
  STORED,
  standIn,
  TOKEN,
} from "./landing-stand-in.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const FORM = { request_id: ID, name: "Азиз", contact: "@aziz" };
const PEER = "203.0.113.7";
const CONTACTS = { phone: "+998 71 200-00-00", telegram: "sticker_booth" };

/** A landing before stand-ins for the server and Telegram, with a clock that stands still until it is moved. */
async function open(server: Reply[] = [STORED], telegram: Reply[] = [SENT], more: LandingSettings = {}) {
  const api = standIn(...server);
  const chat = standIn(...telegram);
  const clock = { ms: 1_000_000 };
  const log: object[] = [];
  const settings = { endpoint: `${api.origin}/leads`, secret: SECRET, botToken: TOKEN, chatId: CHAT, ...CONTACTS };
  const landing = createLanding(
    { ...settings, telegramRoot: chat.origin, timeoutMs: 3000, ...more },
    { nowMs: () => clock.ms, log: (event) => log.push(event) },
  );
  const submit = (fields: Record<string, string> = FORM, headers = {}, peer = PEER) =>
    landing(post("/ru", fields, headers), peer);
  const get = (path: string, headers = {}) => landing(new Request(`http://landing.test${path}`, { headers }));
  const close = async () => {
    await Promise.all([api[Symbol.asyncDispose](), chat[Symbol.asyncDispose]()]);
  };
  return { landing, submit, get, api, chat, clock, log, [Symbol.asyncDispose]: close };
}

test("without JavaScript: the form opens, is posted, and leads to the number", async () => {
  await using site = await open();
  const page = await (await site.get("/ru?utm_source=insta&utm_campaign=spring&gclid=x")).text();
  const fields = {
    request_id: fieldValue(page, "request_id") ?? "",
    locale: fieldValue(page, "locale") ?? "",
    page: fieldValue(page, "page") ?? "",
    utm_source: fieldValue(page, "utm_source") ?? "",
    utm_campaign: fieldValue(page, "utm_campaign") ?? "",
    name: " Азиз ",
    contact: "+998 90 123 45 67",
    event_type: "wedding",
    event_date: "2027-05-01",
    guests: "1 200",
    city: "Ташкент",
    comment: "Две будки\r\nу входа",
    website: "",
  };
  const answer = await site.submit(fields);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe("/ru/thanks?n=7");
  expect(site.api.calls[0]?.body).toEqual({
    request_id: fields.request_id,
    name: "Азиз",
    contact: "+998 90 123 45 67",
    event_type: "wedding",
    event_date: "2027-05-01",
    guests: 1200,
    city: "Ташкент",
    comment: "Две будки\nу входа",
    locale: "ru",
    page: "landing.test/ru",
    utm: { source: "insta", campaign: "spring" },
    visitor_ip: PEER,
  });
  expect(await (await site.get("/ru/thanks?n=7")).text()).toContain(RU.thanksNumbered(7));
});

test("every opening has its own request_id, and no copy of a page is kept", async () => {
  await using site = await open();
  const [first, second] = await Promise.all([site.get("/uz"), site.get("/uz")]);
  expect(first.headers.get("cache-control")).toBe("no-store");
  const ids = [fieldValue(await first.text(), "request_id"), fieldValue(await second.text(), "request_id")];
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids[0]).not.toBe(ids[1]);
});

test("a faulty form comes again as it was, each fault told at its field and above", async () => {
  await using site = await open();
  const fields = {
    ...FORM,
    name: "",
    contact: `"><script>alert(1)</script>`,
    event_type: "funeral",
    event_date: "2027-02-31",
    guests: "много",
    city: "x".repeat(101),
    comment: `</textarea>'&${"я".repeat(2001)}`,
    utm_source: "insta",
  };
  const answer = await site.submit(fields);
  const page = await answer.text();
  expect(answer.status).toBe(422);
  for (const field of ["name", "contact", "event_type", "event_date", "guests", "city", "comment"] as const) {
    expect(page).toContain(`id="${field}-error">${RU.errors[field]}`);
    expect(page).toMatch(new RegExp(`name="${field}" aria-describedby="[^"]*${field}-error" aria-invalid="true"`));
    expect(page).toContain(`<a href="#${field}">`);
  }
  expect(fieldValue(page, "request_id")).toBe(ID);
  expect(fieldValue(page, "utm_source")).toBe("insta");
  expect(fieldValue(page, "guests")).toBe("много");
  expect(fieldValue(page, "event_date")).toBe("2027-02-31");
  expect(page).toContain("&#60;/textarea&#62;&#39;&#38;яя");
  expect(page).not.toContain("<script>alert");
  expect(site.api.calls).toBeEmpty();
});

test("lengths are counted in characters: 100 emoji are a name, 101 are not, nor is what nobody sees", async () => {
  await using site = await open();
  expect((await site.submit({ ...FORM, name: "\u200b\u3164" })).status).toBe(422);
  expect((await site.submit({ ...FORM, name: "😀".repeat(100), comment: "😀".repeat(2000) })).status).toBe(303);
  expect((await site.submit({ ...FORM, name: "😀".repeat(101) })).status).toBe(422);
});

test("the day of the event may be today or later, as the booth's own clock has it", async () => {
  await using site = await open([STORED], [SENT], { timeZone: "Asia/Tashkent" });
  const at = async (clock: string, event_date: string) => {
    site.clock.ms = Date.parse(clock);
    const answer = await site.submit({ ...FORM, request_id: crypto.randomUUID(), event_date });
    return { status: answer.status, page: await answer.text() };
  };
  // Five to midnight and five past it in Tashkent.
  expect((await at("2027-05-01T18:55:00Z", "2027-05-01")).status).toBe(303);
  const late = await at("2027-05-01T19:05:00Z", "2027-05-01");
  expect(late.status).toBe(422);
  expect(late.page).toContain(`id="event_date-error">${RU.errors.past_date}`);
  expect(late.page).toContain('min="2027-05-02"');
  expect(fieldValue(late.page, "event_date")).toBe("2027-05-01");
  expect((await at("2027-05-01T19:05:00Z", "2027-05-02")).status).toBe(303);
  expect((await at("2027-05-01T19:05:00Z", "0027-05-02")).page).toContain(RU.errors.past_date);
  expect((await at("2027-05-01T19:05:00Z", "2026-02-31")).page).toContain(RU.errors.event_date);
  expect(await (await site.get("/en")).text()).toContain('type="date" min="2027-05-02"');
  expect(site.api.calls).toHaveLength(2);
});

test("a robot that fills the honeypot meets exactly what a person meets, and the group hears nothing of it", async () => {
  await using site = await open();
  const robot = (more = {}) => site.submit({ ...FORM, website: "http://spam.example", ...more });
  const whole = async (answer: Response) => [
    answer.status,
    answer.headers.get("location"),
    (await answer.text()).replace(/<input[^>]*(?:website|request_id)[^>]*>/g, ""),
  ];
  // The server takes it like any other, gives it a number and keeps nothing.
  expect(await whole(await robot())).toEqual(await whole(await site.submit()));
  expect(site.api.calls.map((call) => call.body.website)).toEqual(["http://spam.example", undefined]);
  const faulty = { name: "", request_id: crypto.randomUUID() };
  expect(await whole(await robot(faulty))).toEqual(await whole(await site.submit({ ...FORM, ...faulty })));
  site.api.answer({ status: 500 });
  expect(await whole(await robot())).toEqual(
    await whole(await site.submit({ ...FORM, request_id: crypto.randomUUID() })),
  );
  expect(site.chat.calls).toHaveLength(1);
  expect(site.log).toHaveLength(2);
});

test("the fallback is thanked for without a number, and the log names neither the visitor nor a secret", async () => {
  await using site = await open([{ status: 500 }]);
  const answer = await site.submit();
  expect(answer.headers.get("location")).toBe("/ru/thanks");
  expect(await (await site.get("/ru/thanks")).text()).toContain(`>${RU.thanks}<`);
  const log = JSON.stringify(site.log);
  expect(log).toContain(ID);
  for (const secret of ["Азиз", "@aziz", PEER, TOKEN, SECRET]) expect(log).not.toContain(secret);
});

const FAILURES: [string, Reply, number, string][] = [
  ["both routes fail", { status: 500 }, 503, RU.failed],
  ["the server's own limit", { status: 429, headers: { "retry-after": "400" } }, 429, RU.wait(7)],
  ["the server refuses a field", { status: 422, body: '{"fields":{"contact":"bad"}}' }, 422, RU.errors.contact],
  ["the server refuses something unseen", { status: 422, body: '{"fields":{"page":"bad"}}' }, 503, RU.refused],
];
for (const [name, reply, status, message] of FAILURES)
  test(`keeps what was typed when ${name}, and says how to go on`, async () => {
    await using site = await open([reply], [{ status: 403, body: '{"ok":false}' }]);
    const answer = await site.submit({ ...FORM, comment: "важно" });
    const page = await answer.text();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("retry-after")).toBe(status === 429 ? "400" : null);
    expect(page).toContain(message);
    expect(page).toContain("tel:+998712000000");
    expect(page).toContain("https://t.me/sticker_booth");
    expect([fieldValue(page, "name"), fieldValue(page, "request_id")]).toEqual(["Азиз", ID]);
    expect(page).toContain("важно</textarea>");
  });

test("a failed request goes through under its old id when the server is back", async () => {
  await using site = await open([{ status: 500 }], [{ status: 500 }]);
  expect((await site.submit()).status).toBe(503);
  site.api.answer(STORED);
  expect((await site.submit()).headers.get("location")).toBe("/ru/thanks?n=7");
  expect(site.api.calls.map((call) => call.body.request_id)).toEqual([ID, ID]);
});

test("a double click is one delivery, and a late repeat too, also by Telegram", async () => {
  await using site = await open([{ status: 503 }]);
  const answers = await Promise.all([site.submit(), site.submit(), site.submit()]);
  expect(answers.map((answer) => answer.status)).toEqual([303, 303, 303]);
  expect((await site.submit()).status).toBe(303);
  expect(site.chat.calls).toHaveLength(1);
});

test("five new requests per visitor in ten minutes; repeats do not count, others are not held up", async () => {
  await using site = await open();
  const submit = (request_id: string, peer?: string) => site.submit({ ...FORM, request_id }, {}, peer);
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID());
  for (const id of ids.slice(0, 5)) expect((await submit(id)).status).toBe(303);
  const sixth = await submit(ids[5] ?? "");
  expect([sixth.status, sixth.headers.get("retry-after")]).toEqual([429, "600"]);
  expect(await sixth.text()).toContain(RU.wait(10));
  expect((await submit(ids[0] ?? "")).status).toBe(303);
  expect((await submit(crypto.randomUUID(), "203.0.113.8")).status).toBe(303);
  site.clock.ms += 10 * 60_000 + 1;
  expect((await submit(ids[5] ?? "")).status).toBe(303);
});

const HOPS: [string, string, string | undefined, string | undefined][] = [
  ["a visitor without a proxy is the peer, whatever it claims", "198.51.100.9", "1.2.3.4", "198.51.100.9"],
  ["behind the proxy on this machine, the last hop counts", "::ffff:127.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"],
  ["a named proxy is passed over", "127.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.5", "203.0.113.9"],
  ["IPv6 is an address too", "::1", "2001:db8::1", "2001:db8::1"],
  ["nonsense is not", "127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"],
];
for (const [name, peer, forwarded, expected] of HOPS)
  test(`the visitor's address: ${name}`, async () => {
    await using site = await open([STORED], [SENT], { trustedProxies: ["10.0.0.5"] });
    await site.submit(FORM, forwarded ? { "x-forwarded-for": forwarded } : {}, peer);
    expect(site.api.calls[0]?.body.visitor_ip).toBe(expected);
  });

test("a whole IPv6 network is one visitor", async () => {
  await using site = await open();
  const statuses: number[] = [];
  for (let at = 0; at < 6; at++) {
    const answer = await site.submit({ ...FORM, request_id: crypto.randomUUID() }, {}, `2001:db8:0:1::${at}`);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
});

test("a post from another site is refused, a browser's own and a plain client's are taken", async () => {
  await using site = await open();
  const status = async (headers: Record<string, string>) => (await site.submit(FORM, headers)).status;
  expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await status({ "sec-fetch-site": "same-site" })).toBe(403);
  expect(await status({ origin: "https://evil.example" })).toBe(403);
  expect(await status({ origin: "null" })).toBe(403);
  expect(site.api.calls).toBeEmpty();
  expect(await status({ "sec-fetch-site": "same-origin", origin: "http://landing.test" })).toBe(303);
  expect(await status({ origin: "https://booth.example", host: "booth.example" })).toBe(303);
  expect(await status({})).toBe(303);
});

test("bounds: too much text is 413 with or without a length, another content type 415, both with a form", async () => {
  await using site = await open();
  const big = await site.submit({ ...FORM, comment: "x".repeat(140_000) });
  expect(big.status).toBe(413);
  expect(await big.text()).toContain(RU.tooLarge);
  const longest = { ...FORM, name: "語".repeat(300), city: "語".repeat(300), comment: "語".repeat(6000) };
  expect((await site.submit(longest)).status).toBe(422);
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(10_000))),
  });
  const type = "application/x-www-form-urlencoded";
  const endless = new Request("http://landing.test/ru", {
    method: "POST",
    body: stream,
    headers: { "content-type": type },
  });
  expect((await site.landing(endless)).status).toBe(413);
  expect((await site.submit(FORM, { "content-type": "application/json" })).status).toBe(415);
});

test("a missing or broken request_id gets a good one", async () => {
  await using site = await open();
  await site.submit({ ...FORM, request_id: "1; drop table" });
  expect(site.api.calls[0]?.body.request_id).toMatch(/^[0-9a-f-]{36}$/);
});

test("routes: the browser's language, HEAD, unknown pages, wrong methods", async () => {
  await using site = await open();
  const location = async (accept: string) =>
    (await site.get("/?utm_source=x", { "accept-language": accept })).headers.get("location");
  expect(await location("de, uz;q=0.8, en;q=0.9")).toBe("/en?utm_source=x");
  expect(await location("uz-UZ,ru;q=0.5")).toBe("/uz?utm_source=x");
  expect(await location("fr")).toBe("/ru?utm_source=x");
  const send = (method: string, path: string) => site.landing(new Request(`http://landing.test${path}`, { method }));
  const head = await send("HEAD", "/en");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await send("GET", "/en/nothing")).status).toBe(404);
  expect((await send("GET", "/../etc/passwd")).status).toBe(404);
  expect((await send("DELETE", "/en")).headers.get("allow")).toBe("GET, HEAD, POST");
  expect((await send("POST", "/en/thanks")).status).toBe(405);
  expect(await (await site.get("/en/thanks?n=<b>1")).text()).toContain(`>${TEXTS.en.thanks}<`);
});

test("every page is small, loads nothing foreign, and forbids it", async () => {
  await using site = await open();
  for (const locale of LOCALES) {
    const answer = await site.get(`/${locale}`);
    const page = await answer.text();
    expect(new Blob([page]).size).toBeLessThan(30_000);
    expect(page).toContain(`<html lang="${locale}">`);
    expect(page.match(/(?:src|href|action)="(?!\/|#|data:|tel:|https:\/\/t\.me\/)[^"]*"/g)).toBeNull();
    expect(page).not.toMatch(/ style="| on[a-z]+="/);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    for (const [header, value] of [
      ["x-frame-options", "DENY"],
      ["x-content-type-options", "nosniff"],
      ["referrer-policy", "same-origin"],
    ])
      expect(answer.headers.get(header ?? "")).toBe(value ?? "");
  }
});

test("all languages say everything, and Uzbek has its own apostrophe", () => {
  const flat = (value: unknown): string[] =>
    typeof value === "function"
      ? [String(value(3))]
      : typeof value === "object" && value
        ? Object.values(value).flatMap(flat)
        : [String(value)];
  const { headline: _, ...uz } = TEXTS.uz;
  for (const locale of LOCALES)
    for (const text of flat({ ...TEXTS[locale], headline: "x" })) expect(text.trim()).not.toBe("");
  expect(flat(uz).join(" ")).not.toMatch(/[oOgG]['`‘’]/);
  expect(flat(TEXTS.ru).join(" ")).not.toMatch(/['`]/);
});

test("a refused connection is a fallback for the whole form too", async () => {
  await using site = await open([STORED], [SENT], { endpoint: `${await closedOrigin()}/leads` });
  expect((await site.submit()).headers.get("location")).toBe("/ru/thanks");
  expect(site.chat.calls).toHaveLength(1);
});
