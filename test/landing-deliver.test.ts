import { expect, test } from "bun:test";
import { type DeliverOptions, type Delivery, deliverRequest, type LeadRequest } from "../landing/deliver-request.ts";
import { readSettings } from "../landing/settings.ts";
import { TEAM_WORDS } from "../landing/texts/team.ts";
import { CHAT, closedOrigin, type Reply, SECRET, SENT, STORED, standIn, TOKEN } from "./landing-stand-in.ts";

const LEAD: LeadRequest = {
  request_id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  name: "Азиз",
  contact: "@aziz",
  event_type: "wedding",
  event_date: "2027-05-01",
  guests: 120,
  city: "Ташкент",
  comment: "Две будки\nу входа",
  locale: "ru",
  page: "landing.test/ru",
  utm: { source: "instagram", campaign: "spring" },
  visitor_ip: "203.0.113.7",
};
/** The calls that are answered have to be, on a busy machine too. */
const TIMEOUT_MS = 3000;
const HTML: Reply = { body: "<html>welcome to the hotel network</html>" };

/** Delivers `LEAD` with stand-ins for the server and for Telegram; gives the result and all their calls. */
async function deliver(
  server: Reply[] | "refused" | "unset",
  telegram: Reply[] = [SENT],
  lead = LEAD,
  words?: DeliverOptions["words"],
) {
  await using api = standIn(...(Array.isArray(server) ? server : []));
  await using chat = standIn(...telegram);
  const endpoint = server === "unset" ? undefined : `${server === "refused" ? await closedOrigin() : api.origin}/leads`;
  const options = {
    endpoint,
    secret: SECRET,
    botToken: TOKEN,
    chatId: CHAT,
    telegramRoot: chat.origin,
    timeoutMs: TIMEOUT_MS,
    words,
  };
  const result = await deliverRequest(lead, options);
  return { result, api: api.calls, chat: chat.calls };
}

test("a stored request gives its number, and Telegram is left alone", async () => {
  const { result, api, chat } = await deliver([STORED]);
  expect(result).toEqual({ via: "server", number: 7, duplicate: false });
  expect(api[0]?.body).toEqual(LEAD);
  expect(api[0]?.headers.get("x-stickers-leads-secret")).toBe(SECRET);
  expect(api[0]?.headers.get("content-type")).toContain("application/json");
  expect(chat).toBeEmpty();
});

test("a known request gives the same number", async () => {
  const { result } = await deliver([{ status: 200, body: '{"number":7,"duplicate":true}' }]);
  expect(result).toEqual({ via: "server", number: 7, duplicate: true });
});

const FALLBACKS: [string, Reply[] | "refused" | "unset"][] = [
  ["silence", [{ fault: "silence" }]],
  ["an answer that never ends", [{ status: 201, fault: "stall" }]],
  ["a refused connection", "refused"],
  ["500", [{ status: 500, body: "oops" }]],
  ["502 with HTML", [{ status: 502, body: "<html>" }]],
  ["503", [{ status: 503 }]],
  ["401", [{ status: 401, body: '{"error":"unauthorized"}' }]],
  ["404", [{ status: 404, body: '{"error":"not_found"}' }]],
  ["403 of something in between", [{ status: 403 }]],
  ["HTML with 200, twice", [HTML]],
  ["an empty 204", [{ status: 204 }]],
  ["JSON without a number", [{ status: 201, body: '{"number":"7","duplicate":false}' }]],
  ["a body longer than any answer of ours", [{ status: 201, body: " ".repeat(100_000) + STORED.body }]],
  ["no endpoint", "unset"],
];
for (const [name, server] of FALLBACKS)
  test(`falls back to one Telegram message on ${name}`, async () => {
    const { result, chat } = await deliver(server);
    expect(result).toEqual({ via: "telegram" });
    expect(chat.map((call) => call.path)).toEqual([`/bot${TOKEN}/sendMessage`]);
    expect(chat[0]?.body.chat_id).toBe(CHAT);
  });

const REFUSALS: [string, Reply, Delivery][] = [
  [
    "429",
    { status: 429, headers: { "retry-after": "120" }, body: '{"error":"too_many"}' },
    { via: "none", reason: "the server refused the request with 429", status: 429, retryAfterSeconds: 120 },
  ],
  [
    "422",
    { status: 422, body: '{"error":"invalid","fields":{"guests":"whole number"}}' },
    { via: "none", reason: "the server refused the request with 422", status: 422, fields: ["guests"] },
  ],
  [
    "422 with a list",
    { status: 422, body: '{"fields":[{"field":"name"},"city"]}' },
    { via: "none", reason: "the server refused the request with 422", status: 422, fields: ["name", "city"] },
  ],
  ["413", { status: 413 }, { via: "none", reason: "the server refused the request with 413", status: 413, fields: [] }],
];
for (const [name, reply, expected] of REFUSALS)
  test(`never sends to Telegram on ${name}`, async () => {
    const { result, api, chat } = await deliver([reply]);
    expect(result).toEqual(expected);
    expect(api).toHaveLength(1);
    expect(chat).toBeEmpty();
  });

test("a 422 whose body never ends is still a refusal", async () => {
  const { result, chat } = await deliver([{ status: 422, fault: "stall" }]);
  expect(result).toMatchObject({ via: "none", status: 422 });
  expect(chat).toBeEmpty();
});

test("a redirect is not followed, so the secret stays where it belongs", async () => {
  await using elsewhere = standIn(STORED);
  const { result } = await deliver([{ status: 307, headers: { location: `${elsewhere.origin}/leads` } }]);
  expect(result).toEqual({ via: "telegram" });
  expect(elsewhere.calls).toBeEmpty();
});

test("Retry-After may be a date, and nonsense means a minute", async () => {
  const wait = async (header: string) => {
    const { result } = await deliver([{ status: 429, headers: { "retry-after": header } }]);
    return result.via === "none" ? result.retryAfterSeconds : undefined;
  };
  expect(await wait("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(1);
  expect(await wait("soon")).toBe(60);
  expect(await wait("99999999")).toBe(86_400);
});

test("an unreadable 2xx is asked once more, with the same request", async () => {
  const { result, api, chat } = await deliver([HTML, { status: 200, body: '{"number":7,"duplicate":true}' }]);
  expect(result).toEqual({ via: "server", number: 7, duplicate: true });
  expect(api.map((call) => call.body.request_id)).toEqual([LEAD.request_id, LEAD.request_id]);
  expect(chat).toBeEmpty();
  expect((await deliver([HTML])).api).toHaveLength(2);
});

test("the message is plain, whole, marked, and without the visitor's address", async () => {
  const { chat } = await deliver("unset");
  const body = chat[0]?.body ?? {};
  expect(Object.keys(body).sort()).toEqual(["chat_id", "link_preview_options", "text"]);
  const text = String(body.text);
  expect(text).toContain("not in the database: handle by hand");
  for (const part of [LEAD.request_id, "Азиз", "@aziz", "wedding", "2027-05-01", "120", "Ташкент", "у входа", "ru"])
    expect(text).toContain(part);
  for (const part of ["landing.test/ru", "source=instagram", "campaign=spring"]) expect(text).toContain(part);
  expect(text).not.toContain("203.0.113.7");
});

test.each(["ru", "uz"] as const)("the message is in the language of the group: %s", async (lang) => {
  const words = readSettings({ TEAM_LANG: lang }).settings.words;
  const text = String((await deliver("unset", [SENT], LEAD, words)).chat[0]?.body.text);
  const { head, why, labels, comment } = TEAM_WORDS[lang];
  expect(text).toStartWith(`⚠️ ${head}\n`);
  expect(text).toContain(`${why.unset}. `);
  expect(text).toContain(`\nrequest_id: ${LEAD.request_id}\n${labels[0]}: Азиз\n`);
  expect(text).toContain(`\n${labels.at(-1)}: source=instagram, campaign=spring\n${comment}:\n`);
  expect(text).not.toMatch(/Name|Contact|Comment/);
  expect(labels).toHaveLength(9);
});

test("no field forges another line, and the text keeps Telegram's bound without half an emoji", async () => {
  const lead = { ...LEAD, name: "Eve\nContact: @mallory\u202e", comment: "😀".repeat(4000), page: "p".repeat(9000) };
  const text = String((await deliver("unset", [SENT], lead)).chat[0]?.body.text);
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text.isWellFormed()).toBe(true);
  expect(text.split("\n").filter((line) => line.startsWith("Contact:"))).toEqual(["Contact: @aziz"]);
  expect(text).not.toContain("\u202e");
});

test("a group that moved is followed once", async () => {
  const moved = { status: 400, body: '{"ok":false,"parameters":{"migrate_to_chat_id":-100777}}' };
  const { result, chat } = await deliver("unset", [moved, SENT]);
  expect(result).toEqual({ via: "telegram" });
  expect(chat.map((call) => call.body.chat_id)).toEqual([CHAT, -100777]);
  expect((await deliver("unset", [moved])).chat).toHaveLength(2);
});

const LOST: [string, Reply[]][] = [
  ["refuses", [{ status: 403, body: '{"ok":false}' }]],
  ["is flooded", [{ status: 429, body: '{"ok":false}' }]],
  ["answers HTML", [HTML]],
  ["says nothing", [{ fault: "silence" }]],
  ["never ends", [{ fault: "stall" }]],
];
for (const [name, telegram] of LOST)
  test(`both routes failing is told without secrets: Telegram ${name}`, async () => {
    const { result } = await deliver([{ status: 500 }], telegram);
    if (result.via !== "none") throw new Error(`delivered via ${result.via}`);
    expect(result.reason).toStartWith("the server answered 500; ");
    for (const secret of [TOKEN, SECRET, "4242"]) expect(result.reason).not.toContain(secret);
  });

test("an error that quotes the token or the secret does not reach the reason", async () => {
  const fetch = async (url: string) => {
    throw new Error(`cannot reach ${url} with ${SECRET}`);
  };
  const options = { endpoint: "http://x/leads", secret: SECRET, botToken: TOKEN, chatId: CHAT, fetch };
  expect(await deliverRequest(LEAD, options)).toEqual({
    via: "none",
    reason: "the connection to the server failed; the connection to Telegram failed",
  });
});

test("a filled honeypot goes to the server and never to Telegram", async () => {
  const lead = { ...LEAD, website: "http://spam.example" };
  expect((await deliver([STORED], [SENT], lead)).result.via).toBe("server");
  const { result, chat } = await deliver([{ status: 500 }], [SENT], lead);
  expect(result.via).toBe("none");
  expect(chat).toBeEmpty();
});

test("without a bot there is no fallback, and a fetch that ignores its signal still ends", async () => {
  const deaf = () => new Promise<Response>(() => {});
  const result = await deliverRequest(LEAD, { endpoint: "http://x/leads", fetch: deaf, timeoutMs: 400 });
  expect(result).toEqual({
    via: "none",
    reason: "the server did not answer in time; the fallback to Telegram is not set up",
  });
});

test("the file imports nothing and bundles for a browser-like runtime", async () => {
  const path = new URL("../landing/deliver-request.ts", import.meta.url).pathname;
  const source = await Bun.file(path).text();
  expect(new Bun.Transpiler({ loader: "ts" }).scanImports(source)).toBeEmpty();
  expect(source).not.toMatch(/\b(Bun|process|Buffer|require)\b\s*[.([]/);
});
