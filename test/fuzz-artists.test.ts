/** Whatever an artist answers: an outcome of the studio's classes, never a throw; whatever a model says: emoji that Telegram takes. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { emojiFor } from "../bot/studio/emoji.ts";
import { geminiArtist, pictureIn } from "../bot/studio/providers/gemini.ts";
import { openaiArtist } from "../bot/studio/providers/openai.ts";
import { parseAnswer, SelfieAnswer, SheetAnswer } from "../bot/studio/providers/verdicts.ts";
import { freshConfig } from "./fresh.ts";
import { attack, inTime } from "./fuzz-judge.ts";
import { anything, FUZZ_MS, jsonText, near, text } from "./fuzz-tools.ts";
import { fixture } from "./world.ts";

setDefaultTimeout(FUZZ_MS);

let reply: { status: number; body: string; headers: Record<string, string> } = { status: 200, body: "", headers: {} };
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(reply.body, { status: reply.status, headers: reply.headers });
  },
});
afterAll(() => server.stop(true));

const root = `http://127.0.0.1:${server.port}`;
const config = freshConfig({
  GEMINI_API_KEY: "test-gemini-key",
  OPENAI_API_KEY: "test-openai-key",
  GEMINI_BASE_URL: root,
  OPENAI_BASE_URL: `${root}/v1`,
});
const selfie = fixture("selfie.jpg").slice(0, 2000);
const order = {
  selfie,
  outfit: { id: "chef", prompt: "a hat" },
  count: 4,
  key: { r: 0, g: 255, b: 0 },
  lang: "uz",
  attempt: 0,
} as const;
const outcomes = ["ok", "refused", "empty", "overloaded", "broken"];

const picture = Buffer.from("\x89PNG and so on", "latin1").toString("base64");
const verdict = { usable: true, faces: 1, problem: "none", stickers: [{ cell: 1, emoji: ["😀"] }] };
const gemini = (said: unknown) => ({
  candidates: [
    {
      content: {
        parts: [
          { text: typeof said === "string" ? said : JSON.stringify(said) },
          { inlineData: { data: picture, mimeType: "image/png" } },
        ],
      },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
});
const openai = (said: unknown) => ({
  output: [{ type: "message", content: [{ type: "output_text", text: JSON.stringify(said) }] }],
  output_text: JSON.stringify(said),
  data: [{ b64_json: picture }],
  usage: { input_tokens: 1, output_tokens: 2 },
});

/** A JSON value with one part of it, anywhere, replaced by something else. */
const bent = (good: unknown) =>
  fc.tuple(fc.nat(60), anything).map(([nth, other]) => {
    let left = nth;
    return JSON.parse(JSON.stringify(good), (_key, value: unknown) => (left-- === 0 ? other : value)) as unknown;
  });

for (const [name, artist, shape] of [
  ["gemini", geminiArtist(config), gemini],
  ["openai", openaiArtist(config), openai],
] as const) {
  test(`${name}'s answers`, async () => {
    const body = fc.oneof(
      bent(shape(verdict)).map((value) => JSON.stringify(value)),
      near(verdict).map((said) => JSON.stringify(shape(said))),
      jsonText(shape(verdict)),
    );
    const status = fc.constantFrom(200, 200, 200, 200, 201, 204, 400, 401, 404, 429, 500, 503);
    const type = fc.constantFrom("application/json", "application/json", "text/html", "");
    await attack(
      fc.asyncProperty(body, status, type, async (said, code, kind) => {
        reply = { status: code, body: code === 204 ? "" : said, headers: kind ? { "content-type": kind } : {} };
        const replies = [
          await inTime(said, (signal) => artist.checkSelfie(selfie, signal)),
          await inTime(said, (signal) => artist.checkSheet(selfie, 4, signal)),
          await inTime(said, (signal) => artist.drawSheet(order, signal)),
        ];
        for (const answer of replies) {
          expect(outcomes).toContain(answer.outcome);
          expect(Object.values(answer.spent).every((n) => typeof n === "number" && Number.isFinite(n))).toBe(true);
          if (answer.outcome !== "ok") expect(typeof answer.reason).toBe("string");
        }
      }),
      500,
    );
  });
}

test("verdicts are believed as far as their schema goes, and every sticker gets emoji", async () => {
  await attack(
    fc.asyncProperty(jsonText(verdict), async (said) => {
      for (const schema of [SelfieAnswer, SheetAnswer]) {
        const value = await inTime(said, () => parseAnswer(schema, said));
        if (value !== null) expect(typeof value.usable).toBe("boolean");
      }
    }),
    3000,
  );
  const stickers = fc.array(
    fc.record({
      cell: fc.integer({ min: 1, max: 64 }),
      emoji: fc.array(fc.oneof(text, fc.string({ unit: "grapheme" })), { maxLength: 20 }),
    }),
  );
  await attack(
    fc.asyncProperty(stickers, fc.integer({ min: 1, max: 16 }), async (given, cell) => {
      const emoji = await inTime(JSON.stringify(given), () =>
        emojiFor({ usable: true, problem: "none", stickers: given }, cell),
      );
      expect(emoji.length).toBeGreaterThanOrEqual(1);
      expect(emoji.length).toBeLessThanOrEqual(20);
      for (const one of emoji) expect(one).toMatch(/^\p{RGI_Emoji}$/v);
    }),
    2000,
  );
  await attack(
    fc.asyncProperty(fc.oneof(fc.base64String(), text), async (data) => {
      const found = await inTime(data, () => pictureIn(data));
      if (found) expect(found.length).toBeGreaterThan(3);
    }),
    200,
  );
});
