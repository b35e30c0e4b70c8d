import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deliverRequest, type LeadRequest } from "../landing/deliver-request.ts";
import { createLanding } from "../landing/handler.ts";
import { CHAT, post, SECRET, SENT, standIn, TOKEN } from "./landing-stand-in.ts";

const MAIN = new URL("../api/main.ts", import.meta.url).pathname;
const TEST_MS = 30_000;
const SHORT_MS = 3_000;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The real api as a process, and a stand-in for Telegram that takes every message. */
async function open(env: Record<string, string> = { LEADS_SECRET: SECRET }) {
  const telegram = standIn(SENT);
  const folder = await mkdtemp(join(tmpdir(), "landing-api-"));
  const child = Bun.spawn([process.execPath, "--env-file=/dev/null", MAIN], {
    env: {
      PATH: process.env.PATH,
      BOT_TOKEN: "4242:AAaaBBbbCCccDDddEEeeFFffGGggHHhhIIi",
      ADMIN_CHAT_ID: "-100900",
      DATA_DIR: join(folder, "data"),
      PORT: "0",
      TELEGRAM_API_ROOT: telegram.origin,
      ...env,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const kill = () => {
    child.kill("SIGKILL");
    return child.exited;
  };
  closers.push(
    () => rm(folder, { recursive: true }),
    async () => telegram[Symbol.asyncDispose](),
    kill,
  );
  const origin = `http://127.0.0.1:${await listeningPort(child.stdout)}`;
  const options = {
    endpoint: `${origin}/leads`,
    secret: SECRET,
    botToken: TOKEN,
    chatId: CHAT,
    telegramRoot: telegram.origin,
  };
  const deliver = (lead: LeadRequest, more = {}) => deliverRequest(lead, { ...options, ...more });
  return { child, kill, telegram, options, deliver };
}

async function listeningPort(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stdout.getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port) {
      reader.releaseLock();
      return port;
    }
  }
  throw new Error(`the api did not start: ${text}`);
}

let visitors = 0;
/** A good request of a visitor of its own. */
function lead(more: Partial<LeadRequest> = {}): LeadRequest {
  visitors += 1;
  const visitor_ip = `198.51.100.${visitors}`;
  return { request_id: crypto.randomUUID(), name: "Азиз", contact: "@aziz", locale: "ru", visitor_ip, ...more };
}

test(
  "the form's request is stored, and a repeat by a restarted landing gets the same number",
  async () => {
    const api = await open();
    const fields = {
      request_id: crypto.randomUUID(),
      name: "Азиз <b>",
      contact: "+998 90 123 45 67",
      event_type: "wedding",
      event_date: "2099-05-01",
      guests: "120",
      city: "Ташкент",
      comment: "Две будки\r\nу входа",
      page: "sales.example/ru",
      utm_source: "insta",
    };
    const submit = () =>
      createLanding({ ...api.options, phone: "+998 71 200-00-00" })(post("/ru", fields), "203.0.113.5");
    const first = await submit();
    expect([first.status, first.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/ru\/thanks\?n=\d+$/),
    ]);
    expect((await submit()).headers.get("location")).toBe(first.headers.get("location"));
    expect(api.telegram.calls).toBeEmpty();
  },
  TEST_MS,
);

test(
  "a robot is answered with the number that the next request gets, and leaves nothing",
  async () => {
    const api = await open();
    const landing = createLanding({ ...api.options, phone: "+998 71 200-00-00" });
    const send = async (more = {}) => {
      const fields = { request_id: crypto.randomUUID(), name: "Азиз", contact: "@aziz", ...more };
      return (await landing(post("/en", fields), "203.0.113.7")).headers.get("location");
    };
    const told = await send({ website: "https://spam.example" });
    expect(told).toMatch(/^\/en\/thanks\?n=\d+$/);
    expect(await send()).toBe(told);
    expect(api.telegram.calls).toBeEmpty();
  },
  TEST_MS,
);

test(
  "both count lengths alike: what the form lets through, the api takes",
  async () => {
    const api = await open();
    const landing = createLanding({ ...api.options, phone: "+998 71 200-00-00" });
    const fields = {
      name: "😀".repeat(100),
      contact: `@${"a".repeat(119)}`,
      city: "Ж".repeat(100),
      comment: "😀".repeat(2000),
      guests: "100000",
      utm_source: "u".repeat(200),
      page: "p".repeat(500),
    };
    const answer = await landing(post("/uz", fields), "203.0.113.6");
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/uz\/thanks\?n=\d+$/),
    ]);
    expect(api.telegram.calls).toBeEmpty();
  },
  TEST_MS,
);

test(
  "422 names the fields and 429 the seconds, and neither goes to Telegram",
  async () => {
    const api = await open();
    const faulty = await api.deliver(lead({ guests: 0, event_date: "2027-02-31" }));
    expect(faulty).toMatchObject({ via: "none", status: 422 });
    expect(faulty.via === "none" && faulty.fields?.sort()).toEqual(["event_date", "guests"]);
    const { visitor_ip } = lead();
    for (let sent = 0; sent < 5; sent++) expect((await api.deliver(lead({ visitor_ip }))).via).toBe("server");
    const sixth = await api.deliver(lead({ visitor_ip }));
    expect(sixth).toMatchObject({ via: "none", status: 429, retryAfterSeconds: expect.any(Number) });
    expect(api.telegram.calls.filter((call) => call.body.chat_id === CHAT)).toBeEmpty();
  },
  TEST_MS,
);

test(
  "401 and 404 go to Telegram",
  async () => {
    const guarded = await open();
    expect(await guarded.deliver(lead(), { secret: "not-the-secret-000" })).toEqual({ via: "telegram" });
    expect(guarded.telegram.calls).toHaveLength(1);
    const closed = await open({});
    expect(await closed.deliver(lead())).toEqual({ via: "telegram" });
    expect(closed.telegram.calls).toHaveLength(1);
  },
  TEST_MS,
);

test(
  "an api that hangs is a timeout, a dead one a refused connection; both go to Telegram",
  async () => {
    const api = await open();
    api.child.kill("SIGSTOP");
    expect(await api.deliver(lead(), { timeoutMs: SHORT_MS })).toEqual({ via: "telegram" });
    await api.kill();
    expect(await api.deliver(lead())).toEqual({ via: "telegram" });
    expect(api.telegram.calls).toHaveLength(2);
  },
  TEST_MS,
);

test(
  "an answer spoiled on its way: asked again, the api knows the request",
  async () => {
    const api = await open();
    const spoil = (replies: number, status = 200) => {
      let left = replies;
      return async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init);
        left -= 1;
        return url === api.options.endpoint && left >= 0 ? new Response("<html>hello</html>", { status }) : answer;
      };
    };
    expect(await api.deliver(lead(), { fetch: spoil(1) })).toMatchObject({ via: "server", duplicate: true });
    expect(api.telegram.calls).toBeEmpty();
    expect(await api.deliver(lead(), { fetch: spoil(2) })).toEqual({ via: "telegram" });
    expect(await api.deliver(lead(), { fetch: spoil(1, 502) })).toEqual({ via: "telegram" });
    expect(api.telegram.calls).toHaveLength(2);
  },
  TEST_MS,
);
