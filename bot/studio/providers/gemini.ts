/** Gemini: draws with an image model, looks with a vision model, both through generateContent. */
import {
  ApiError,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from "@google/genai";
import type { Static, TSchema } from "@sinclair/typebox";
import type { Config } from "../../../shared/config.ts";
import { describe } from "../../../shared/errors.ts";
import { selfiePrompt, selfieSchema, sheetOrderPrompt, sheetPrompt, sheetSchema } from "../prompts.ts";
import { gridOf, type Provider, type Reply, type Spent } from "./provider.ts";
import { classOfStatus, parseAnswer, SelfieAnswer, SheetAnswer, tokensIn } from "./verdicts.ts";

type Settings = Pick<Config, "GEMINI_API_KEY" | "GEMINI_BASE_URL" | "GEMINI_IMAGE_MODEL" | "GEMINI_VISION_MODEL">;

const NOTHING: Spent = { inputTokens: 0, outputTokens: 0, images: 0 };
/** Finish and block reasons by which the model declines a picture, rather than fails at it. */
const REFUSALS = /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|SPII/;
const RATIOS: Record<string, string> = { "2x2": "1:1", "3x2": "3:2", "3x3": "1:1", "4x3": "4:3", "4x4": "1:1" };

export function geminiArtist(settings: Settings): Provider {
  const client = new GoogleGenAI({
    apiKey: settings.GEMINI_API_KEY,
    httpOptions: settings.GEMINI_BASE_URL ? { baseUrl: settings.GEMINI_BASE_URL } : {},
  });

  async function generate(model: string, prompt: string, image: Uint8Array, config: GenerateContentConfig) {
    const inlineData = { mimeType: mimeOf(image), data: Buffer.from(image).toString("base64") };
    try {
      return await client.models.generateContent({
        model,
        contents: [{ role: "user", parts: [{ text: prompt }, { inlineData }] }],
        config,
      });
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      return { model, spent: NOTHING, outcome: classOfStatus(status), reason: describe(error) } as const;
    }
  }

  async function look<T extends TSchema>(
    prompt: string,
    image: Uint8Array,
    shape: T,
    schema: object,
    signal: AbortSignal,
  ): Promise<Reply<Static<T>>> {
    const model = settings.GEMINI_VISION_MODEL;
    const answer = await generate(model, prompt, image, {
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      abortSignal: signal,
    });
    if ("outcome" in answer) return answer;
    const spent = spentIn(answer, 0);
    const refusal = refusalIn(answer);
    if (refusal) return { model, spent, outcome: "refused", reason: refusal };
    const value = parseAnswer(shape, textIn(answer));
    if (value === null) return { model, spent, outcome: "empty", reason: "the answer does not fit its schema" };
    return { model, spent, outcome: "ok", value };
  }

  return {
    name: "gemini",
    checkSelfie: (selfie, signal) => look(selfiePrompt, selfie, SelfieAnswer, selfieSchema, signal),
    checkSheet: (sheet, count, signal) => look(sheetPrompt(count), sheet, SheetAnswer, sheetSchema, signal),
    async drawSheet(order, signal) {
      const model = settings.GEMINI_IMAGE_MODEL;
      const { columns, rows } = gridOf(order.count);
      const answer = await generate(model, sheetOrderPrompt(order), order.selfie, {
        responseModalities: ["TEXT", "IMAGE"],
        imageConfig: { aspectRatio: RATIOS[`${columns}x${rows}`], imageSize: "2K" },
        abortSignal: signal,
      });
      if ("outcome" in answer) return answer;
      const picture = lastPicture(answer);
      const spent = spentIn(answer, picture ? 1 : 0);
      if (picture) return { model, spent, outcome: "ok", value: picture };
      const refusal = refusalIn(answer);
      if (refusal) return { model, spent, outcome: "refused", reason: refusal };
      return {
        model,
        spent,
        outcome: "empty",
        reason: `no picture (${finishOf(answer) ?? "no candidate"})`,
      };
    },
  };
}

/** An answer is somebody else's JSON: its types are wishes until they are looked at. */
function partsOf(answer: GenerateContentResponse): Part[] {
  const parts: unknown = answer.candidates?.[0]?.content?.parts;
  return Array.isArray(parts) ? parts.filter((part) => typeof part === "object" && part !== null) : [];
}

const finishOf = (answer: GenerateContentResponse) => wordOf(answer.candidates?.[0]?.finishReason);
const wordOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** The last picture that is not a thought: earlier ones are drafts, and `response.data` would join them all. */
function lastPicture(answer: GenerateContentResponse): Uint8Array | null {
  const data = partsOf(answer).findLast((part) => part.inlineData?.data && !part.thought)?.inlineData?.data;
  return data ? pictureIn(data) : null;
}

/** @returns the bytes behind base64, or null when they do not begin like a PNG, JPEG or WebP */
export function pictureIn(base64: unknown): Uint8Array | null {
  if (typeof base64 !== "string") return null;
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  return head === "\x89PNG" || head === "RIFF" || head.startsWith("\xff\xd8\xff") ? bytes : null;
}

const textIn = (answer: GenerateContentResponse) =>
  partsOf(answer)
    .filter((part) => !part.thought)
    .map((part) => wordOf(part.text) ?? "")
    .join("");

function refusalIn(answer: GenerateContentResponse): string | null {
  const blocked = wordOf(answer.promptFeedback?.blockReason);
  if (blocked) return `blocked: ${blocked}`;
  const finish = finishOf(answer);
  return finish && REFUSALS.test(finish) ? `finished: ${finish}` : null;
}

function spentIn(answer: GenerateContentResponse, images: number): Spent {
  const usage = answer.usageMetadata;
  const outputTokens = tokensIn(usage?.candidatesTokenCount) + tokensIn(usage?.thoughtsTokenCount);
  return { inputTokens: tokensIn(usage?.promptTokenCount), outputTokens, images };
}

/** A sheet can be any of the three; a selfie is our own JPEG. */
export function mimeOf(image: Uint8Array): string {
  if (image[0] === 0x89) return "image/png";
  return image[0] === 0x52 ? "image/webp" : "image/jpeg";
}
