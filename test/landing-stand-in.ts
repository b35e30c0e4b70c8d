import { TEXTS } from "../landing/texts/index.ts";

/** What one stand-in server answers: a status and a body, nothing at all (`silence`), or a body that never ends (`stall`). */
export type Reply = { status?: number; body?: string; headers?: Record<string, string>; fault?: "silence" | "stall" };
export type Call = { path: string; headers: Headers; body: Record<string, unknown> };

export const SECRET = "landing-secret-0123456789";
export const TOKEN = "4242:Landing-test_token";
export const CHAT = "-100901";
export const STORED: Reply = { status: 201, body: JSON.stringify({ number: 7, duplicate: false }) };
export const SENT: Reply = { body: JSON.stringify({ ok: true, result: { message_id: 1 } }) };

/** A stand-in for the api or for Telegram: answers with `replies` in turn, the last one for good, and remembers the calls. */
export function standIn(...replies: Reply[]) {
  const calls: Call[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      calls.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.json() });
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (reply?.fault === "silence") return new Promise<Response>(() => {});
      const init = { status: reply?.status ?? 200, headers: reply?.headers };
      if (reply?.fault !== "stall") return new Response(reply?.body ?? "", init);
      const start = (stream: ReadableStreamDefaultController) => stream.enqueue(new TextEncoder().encode('{"number":'));
      return new Response(new ReadableStream({ start }), init);
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    calls,
    origin,
    /** The next answers, from now on. */
    answer: (...next: Reply[]) => replies.splice(0, replies.length, ...next),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** An address on which nothing listens. */
export async function closedOrigin(): Promise<string> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const origin = `http://127.0.0.1:${server.port}`;
  await server.stop(true);
  return origin;
}

/** A form as a browser posts it. */
export function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Request {
  return new Request(`http://landing.test${path}`, { method: "POST", body: new URLSearchParams(fields), headers });
}

/** The value that a page's field holds, by the field's name; `null` when there is no such field. */
export function fieldValue(page: string, name: string): string | null {
  return new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(page)?.[1] ?? null;
}

export const RU = TEXTS.ru;
