/** OpenAI: draws with images.edit, looks with responses. */
import type { Static, TSchema } from "@sinclair/typebox";
import OpenAI, { APIConnectionError, APIError, toFile } from "openai";
import type { Response } from "openai/resources/responses/responses";
import type { Config } from "../../../shared/config.ts";
import { describe } from "../../../shared/errors.ts";
import { selfiePrompt, selfieSchema, sheetOrderPrompt, sheetPrompt, sheetSchema } from "../prompts.ts";
import { mimeOf, pictureIn } from "./gemini.ts";
import { gridOf, type Provider, type Reply, type SheetOrder, type Spent } from "./provider.ts";
import { classOfStatus, parseAnswer, SelfieAnswer, SheetAnswer, tokensIn } from "./verdicts.ts";

type Settings = Pick<Config, "OPENAI_API_KEY" | "OPENAI_BASE_URL" | "OPENAI_IMAGE_MODEL" | "OPENAI_VISION_MODEL">;

const NOTHING: Spent = { inputTokens: 0, outputTokens: 0, images: 0 };
/** The studio's own deadline comes first; this one is the library's backstop. */
const TIMEOUT_MS = 240_000;
const REASON_LENGTH = 200;
/** Each cell gets at least 480 pixels; sides are multiples of 16, as the API wants. */
const SIZES: Record<string, string> = {
  "2x2": "1536x1536",
  "3x2": "1920x1280",
  "3x3": "1920x1920",
  "4x3": "1920x1440",
  "4x4": "1920x1920",
};

export function openaiArtist(settings: Settings): Provider {
  const client = new OpenAI({
    apiKey: settings.OPENAI_API_KEY,
    baseURL: settings.OPENAI_BASE_URL,
    maxRetries: 0,
    timeout: TIMEOUT_MS,
  });

  async function look<T extends TSchema>(
    name: string,
    prompt: string,
    image: Uint8Array,
    shape: T,
    schema: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Reply<Static<T>>> {
    const model = settings.OPENAI_VISION_MODEL;
    try {
      const image_url = `data:${mimeOf(image)};base64,${Buffer.from(image).toString("base64")}`;
      const answer = await client.responses.create(
        {
          model,
          input: [
            {
              role: "user",
              content: [
                { type: "input_text", text: prompt },
                { type: "input_image", image_url, detail: "auto" },
              ],
            },
          ],
          text: { format: { type: "json_schema", name, strict: true, schema } },
        },
        { signal },
      );
      const spent = {
        inputTokens: tokensIn(answer.usage?.input_tokens),
        outputTokens: tokensIn(answer.usage?.output_tokens),
        images: 0,
      };
      const refusal = refusalIn(answer);
      if (refusal !== null) return { model, spent, outcome: "refused", reason: refusal };
      const value = parseAnswer(shape, answer.output_text);
      if (value === null) return { model, spent, outcome: "empty", reason: "the answer does not fit its schema" };
      return { model, spent, outcome: "ok", value };
    } catch (error) {
      return { model, spent: NOTHING, ...failureOf(error) };
    }
  }

  async function edit(order: SheetOrder, background: "transparent" | "opaque", signal: AbortSignal) {
    const { columns, rows } = gridOf(order.count);
    const image = await toFile(order.selfie, "selfie.jpg", { type: mimeOf(order.selfie) });
    const prompt = sheetOrderPrompt(order, background === "transparent" ? "transparent" : "key");
    const size = SIZES[`${columns}x${rows}`];
    return client.images.edit(
      { model: settings.OPENAI_IMAGE_MODEL, image, prompt, size, background, quality: "medium", output_format: "png" },
      { signal },
    );
  }

  return {
    name: "openai",
    checkSelfie: (selfie, signal) => look("selfie", selfiePrompt, selfie, SelfieAnswer, selfieSchema, signal),
    checkSheet: (sheet, count, signal) => look("sheet", sheetPrompt(count), sheet, SheetAnswer, sheetSchema, signal),
    async drawSheet(order, signal) {
      const model = settings.OPENAI_IMAGE_MODEL;
      try {
        const answer = await edit(order, "transparent", signal).catch((error: unknown) => {
          // Not every image model has transparency: once more, on a key colour.
          if (isAboutBackground(error)) return edit(order, "opaque", signal);
          throw error;
        });
        // A proxy's page with status 200 comes as a string.
        if (!Array.isArray(answer.data))
          return { model, spent: NOTHING, outcome: "overloaded", reason: "not an answer" };
        const picture = pictureIn(answer.data[0]?.b64_json);
        const spent = {
          inputTokens: tokensIn(answer.usage?.input_tokens),
          outputTokens: tokensIn(answer.usage?.output_tokens),
          images: picture ? 1 : 0,
        };
        if (!picture) return { model, spent, outcome: "empty", reason: "no picture" };
        return { model, spent, outcome: "ok", value: picture };
      } catch (error) {
        return { model, spent: NOTHING, ...failureOf(error) };
      }
    },
  };
}

/** The field is not always named. */
const isAboutBackground = (error: unknown) =>
  error instanceof APIError &&
  error.status === 400 &&
  (error.param === "background" || /background|transparen/i.test(error.message));

/** The model's own words when it declines to look: they stand where its JSON would. */
function refusalIn(answer: Response): string | null {
  const parts = answer.output.flatMap((item) => (item.type === "message" ? item.content : []));
  const refusal = parts.find((part) => part.type === "refusal");
  return refusal ? `refused: ${refusal.refusal.slice(0, REASON_LENGTH)}` : null;
}

function failureOf(error: unknown): {
  outcome: "refused" | "overloaded" | "broken";
  reason: string;
  retryAfterMs?: number;
} {
  const reason = describe(error);
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return { outcome: "overloaded", reason };
  if (error.code === "moderation_blocked" || error.code === "content_policy_violation")
    return { outcome: "refused", reason };
  const seconds = Number(error.headers?.get("retry-after"));
  return { outcome: classOfStatus(error.status), reason, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
}
