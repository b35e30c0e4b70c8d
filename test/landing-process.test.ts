import { expect, test } from "bun:test";
import { CHAT, type Reply, SECRET, SENT, STORED, standIn, TOKEN } from "./landing-stand-in.ts";

const MAIN = new URL("../landing/main.ts", import.meta.url).pathname;
const FORM = { request_id: "0f8fad5b-d9cb-469f-a165-70867728950e", name: "Азиз", contact: "@aziz" };

/** The real process, away from any `.env`. */
function start(env: Record<string, string>) {
  return Bun.spawn([process.execPath, "--env-file=/dev/null", MAIN], {
    env: { PATH: process.env.PATH, LANDING_PORT: "0", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** The address in the process's log, once it listens. */
async function listening(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = stdout.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url) return url;
  }
  throw new Error(`the landing did not start: ${text}`);
}

function settings(api: string, telegram: string) {
  const routes = { LEADS_ENDPOINT: `${api}/leads`, LEADS_SECRET: SECRET, BOT_TOKEN: TOKEN, LEADS_CHAT_ID: CHAT };
  return { ...routes, TELEGRAM_API_ROOT: telegram, LANDING_TELEGRAM: "@sticker_booth" };
}

test("wrong settings: all faults on stderr, no secret, exit status 78", async () => {
  const child = start({ LEADS_ENDPOINT: "nowhere", LEADS_SECRET: "geheim ä", LANDING_PORT: "x" });
  expect(await child.exited).toBe(78);
  const faults = await new Response(child.stderr).text();
  for (const name of ["LEADS_ENDPOINT", "LEADS_SECRET", "LANDING_PORT", "LANDING_PHONE"])
    expect(faults).toContain(name);
  expect(faults).not.toContain("geheim");
});

test("a taken port is told in plain words", async () => {
  await using busy = standIn();
  const child = start({ ...settings(busy.origin, busy.origin), LANDING_PORT: new URL(busy.origin).port });
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toContain("cannot listen");
});

test("a request goes through the running process, and SIGTERM lets the one on its way finish", async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  await using telegram = standIn(SENT);
  const api = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch() {
      arrived.resolve();
      await release.promise;
      return new Response(STORED.body, { status: 201 });
    },
  });
  const child = start(settings(`http://127.0.0.1:${api.port}`, telegram.origin));
  try {
    const url = await listening(child.stdout);
    expect((await fetch(`${url}en`)).status).toBe(200);
    const pending = fetch(`${url}ru`, { method: "POST", body: new URLSearchParams(FORM), redirect: "manual" });
    await arrived.promise;
    child.kill("SIGTERM");
    release.resolve();
    const answer = await pending;
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/ru/thanks?n=7"]);
    expect(await child.exited).toBe(0);
    expect(telegram.calls).toBeEmpty();
  } finally {
    child.kill();
    await api.stop(true);
  }
});

const ROWS: [string, Reply, string, number][] = [
  ["500", { status: 500 }, "/ru/thanks", 1],
  ["401", { status: 401 }, "/ru/thanks", 1],
  ["429", { status: 429 }, "", 0],
];
test("the fallback works from the running process", async () => {
  await using api = standIn();
  await using telegram = standIn(SENT);
  const child = start(settings(api.origin, telegram.origin));
  try {
    const url = await listening(child.stdout);
    for (const [name, reply, location, messages] of ROWS) {
      api.answer(reply);
      telegram.calls.length = 0;
      const body = new URLSearchParams({ ...FORM, request_id: crypto.randomUUID() });
      const answer = await fetch(`${url}ru`, { method: "POST", body, redirect: "manual" });
      expect([name, answer.headers.get("location") ?? "", telegram.calls.length]).toEqual([name, location, messages]);
      expect(api.calls.at(-1)?.body.visitor_ip).toBe("127.0.0.1");
    }
  } finally {
    child.kill();
    await child.exited;
  }
});
