/** Gemini's `generateContent` (ai.google.dev/api/generate-content) and the list of models. */
import sharp from "sharp";
import type { FaultAction } from "../faults.ts";
import type { Journal } from "../journal.ts";
import type { Json, JsonObject } from "../types.ts";
import { dig, type Models, outcomeOf, type Purpose, purposeOf, sha256Of } from "./models.ts";
import { draftPicture } from "./pictures.ts";

const knownModel = /^gemini-[\w.-]+$/;
const bodyFields =
  /^(contents|systemInstruction|generationConfig|safetySettings|tools|toolConfig|cachedContent|labels|model|serviceTier)$/;
const statusNames: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};
const badKey = "API key not valid. Please pass a valid API key.";

export class GeminiServer {
  constructor(
    private readonly models: Models,
    private readonly journal: Journal,
  ) {}

  handle(request: Request, path: string, signal: AbortSignal): Promise<Response> | undefined {
    const call = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/.exec(path);
    if (call && request.method === "POST") return this.call(request, call[1] ?? "", call[2] ?? "", signal);
    // The key tells whose list of models is meant: OpenAI's path is the same under /v1.
    const list = /^\/v1(?:beta|alpha)?\/models(?:\/([^/:]+))?$/.exec(path);
    const ours = path.startsWith("/v1beta") || keyOf(request) !== "";
    return list && ours && request.method === "GET" ? this.list(request, list[1], signal) : undefined;
  }

  private list(request: Request, model: string | undefined, signal: AbortSignal): Promise<Response> {
    return this.journal.pass("gemini:models", { model }, {}, signal, (_call, special) => {
      const fault = specialFault(special, model ?? "") ?? keyFault(request);
      if (fault) return fault;
      if (model !== undefined && !knownModel.test(model)) return unknownModel(model);
      const entry = (name: string) => ({ name: `models/${name}`, supportedGenerationMethods: ["generateContent"] });
      const names = ["gemini-nano-banana-2.1", "gemini-3.8-flash"];
      return Response.json(model === undefined ? { models: names.map(entry) } : entry(model));
    });
  }

  private async call(request: Request, model: string, method: string, signal: AbortSignal): Promise<Response> {
    const body = (await request.json().catch(() => null)) as JsonObject | null;
    const config = dig(body, "generationConfig");
    const modalities = dig(config, "responseModalities");
    const wantsImage = Array.isArray(modalities) && modalities.includes("IMAGE");
    const purpose = wantsImage
      ? "image"
      : purposeOf(dig(config, "responseJsonSchema") ?? dig(config, "responseSchema"));
    const parts = partsOf(body);
    const prompt = parts.map((part) => dig(part, "text") ?? "").join("\n");
    const pictures = parts.flatMap((part) => dig(part, "inlineData", "data") ?? []).map(String);
    const sha256 = pictures.map((data) => sha256Of(Buffer.from(data, "base64")));
    const params: JsonObject = { model, prompt, config, pictures: pictures.length, sha256 };
    return await this.journal.pass(`gemini:${purpose}`, params, {}, signal, async (_call, special) => {
      const early = specialFault(special, model) ?? keyFault(request) ?? (await this.bodyFault(body, model, method));
      if (early) {
        if (!special) this.journal.violations.push(`gemini ${model}: ${early.status} ${await early.clone().text()}`);
        return early;
      }
      return await this.answer(purpose, model, prompt, special);
    });
  }

  private async bodyFault(body: JsonObject | null, model: string, method: string): Promise<Response | undefined> {
    if (method !== "generateContent") return fault(404, `the simulator has no method ${method}`);
    if (!knownModel.test(model)) return unknownModel(model);
    const strange = Object.keys(body ?? {}).find((name) => !bodyFields.test(name));
    if (!body || strange)
      return fault(400, `Invalid JSON payload received. Unknown name "${strange}": Cannot find field.`);
    const parts = partsOf(body);
    if (parts.length === 0) return fault(400, "contents is not specified");
    for (const part of parts) {
      const data = dig(part, "inlineData", "data");
      if (data === undefined) continue;
      const picture = Buffer.from(String(data), "base64");
      const readable = await sharp(picture)
        .metadata()
        .catch(() => undefined);
      if (!readable) return fault(400, "Unable to process input image. Please retry or report in troubleshooting.");
    }
    return undefined;
  }

  private async answer(purpose: Purpose, model: string, prompt: string, special: FaultAction | undefined) {
    const usageMetadata = usage(purpose === "image");
    const common = { usageMetadata, modelVersion: model, responseId: "simulated" };
    const outcome = outcomeOf(special);
    if (outcome === "blocked")
      return Response.json({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, ...common });
    if (outcome === "refused") {
      const finishReason = purpose === "image" ? "IMAGE_SAFETY" : "SAFETY";
      return Response.json({
        candidates: [{ index: 0, finishReason, finishMessage: "Unable to show it." }],
        ...common,
      });
    }
    const parts: Json[] = await this.parts(purpose, prompt, special);
    return Response.json({
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      ...common,
    });
  }

  /** Thoughts (a draft picture among them) come first, then words, then the picture that counts. */
  private async parts(purpose: Purpose, prompt: string, special: FaultAction | undefined): Promise<Json[]> {
    if (purpose !== "image") return [{ text: this.models.verdict(purpose, special) }];
    if (outcomeOf(special) === "no_image") return [{ text: "I can describe such a sheet, but not draw it." }];
    const { bytes, mime } = await this.models.draw(prompt, special);
    return [
      { thought: true, text: "A grid first." },
      { thought: true, inlineData: inline(await draftPicture(), "image/png") },
      { text: "Here is your sheet:" },
      { inlineData: inline(bytes, mime), thoughtSignature: "c2ltdWxhdGVk" },
    ];
  }
}

function partsOf(body: JsonObject | null): Json[] {
  const contents = dig(body, "contents");
  const list = Array.isArray(contents) ? contents : contents ? [contents] : [];
  return list.flatMap((content) => {
    const parts = dig(content, "parts");
    return Array.isArray(parts) ? parts : [];
  });
}

function inline(bytes: Uint8Array, mimeType: string) {
  return { mimeType, data: Buffer.from(bytes).toString("base64") };
}

function usage(image: boolean) {
  const prompt = 620;
  const candidates = image ? 1680 : 84;
  const thoughts = image ? 120 : 0;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + candidates + thoughts,
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 104 },
      { modality: "IMAGE", tokenCount: prompt - 104 },
    ],
    candidatesTokensDetails: [{ modality: image ? "IMAGE" : "TEXT", tokenCount: candidates }],
  };
}

function keyOf(request: Request): string {
  return request.headers.get("x-goog-api-key") ?? new URL(request.url).searchParams.get("key") ?? "";
}

function keyFault(request: Request): Response | undefined {
  const key = keyOf(request);
  if (key === "")
    return fault(403, "Method doesn't allow unregistered callers (callers without established identity).");
  return key.startsWith("bad") ? fault(400, badKey) : undefined;
}

function specialFault(special: FaultAction | undefined, model: string): Response | undefined {
  switch (outcomeOf(special)) {
    case "overloaded":
      return fault(503, "The model is overloaded. Please try again later.");
    case "rate_limited":
      return fault(429, "Resource has been exhausted (e.g. check quota).", { "retry-after": "2" });
    case "bad_key":
      return fault(400, badKey);
    case "forbidden":
      return fault(403, "Your API key was reported as leaked. Please use another API key.");
    case "unknown_model":
      return unknownModel(model);
    default:
      return undefined;
  }
}

function unknownModel(model: string): Response {
  return fault(404, `models/${model} is not found for API version v1beta, or is not supported for generateContent.`);
}

function fault(code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message, status: statusNames[code] } }, { status: code, headers });
}
