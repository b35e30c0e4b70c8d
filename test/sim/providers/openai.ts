/** OpenAI's `images/edits`, `responses` and `models` (platform.openai.com/docs/api-reference). */
import sharp from "sharp";
import type { FaultAction } from "../faults.ts";
import type { Journal } from "../journal.ts";
import type { Json, JsonObject } from "../types.ts";
import { dig, type Models, outcomeOf, type Purpose, purposeOf, sha256Of } from "./models.ts";

const knownModel = /^(gpt-|chatgpt-|o\d)/;
const editFields =
  /^(model|prompt|image|image\[\]|mask|n|size|quality|background|output_format|output_compression|stream|partial_images|user)$/;

export class OpenAiServer {
  constructor(
    private readonly models: Models,
    private readonly journal: Journal,
  ) {}

  handle(request: Request, path: string, signal: AbortSignal): Promise<Response> | undefined {
    if (path === "/v1/images/edits" && request.method === "POST") return this.edit(request, signal);
    if (path === "/v1/responses" && request.method === "POST") return this.respond(request, signal);
    const list = /^\/v1\/models(?:\/([^/]+))?$/.exec(path);
    return list && request.method === "GET" ? this.list(request, list[1], signal) : undefined;
  }

  private list(request: Request, model: string | undefined, signal: AbortSignal): Promise<Response> {
    return this.journal.pass("openai:models", { model }, {}, signal, (_call, special) => {
      const early = specialFault(special, model ?? "") ?? keyFault(request);
      if (early) return early;
      if (model !== undefined && !knownModel.test(model)) return unknownModel(model);
      const entry = (id: string) => ({ id, object: "model", created: 1_780_000_000, owned_by: "openai" });
      if (model !== undefined) return Response.json(entry(model));
      return Response.json({ object: "list", data: ["gpt-image-2", "gpt-5.6"].map(entry) });
    });
  }

  private async edit(request: Request, signal: AbortSignal): Promise<Response> {
    const form = await request.formData().catch(() => new FormData());
    const params: JsonObject = {};
    const files: Record<string, Uint8Array> = {};
    for (const [name, part] of form) {
      if (typeof part === "string") params[name] = part;
      else files[name] = new Uint8Array(await part.arrayBuffer());
    }
    const noted = { ...params, sha256: Object.values(files).map(sha256Of) };
    return await this.journal.pass("openai:image", noted, files, signal, async (_call, special) => {
      const model = String(params.model);
      const early =
        moderationFault(special) ??
        specialFault(special, model) ??
        keyFault(request) ??
        (await editFault(params, files));
      if (early) return this.noted(early, special, model);
      if (outcomeOf(special) === "no_image") return Response.json({ created: 1, data: [], usage: usage(0) });
      const transparent = params.background === "transparent";
      const { bytes } = await this.models.draw(String(params.prompt), special, transparent);
      return Response.json({
        created: Math.floor(Date.now() / 1000),
        data: [{ b64_json: Buffer.from(bytes).toString("base64") }],
        background: transparent ? "transparent" : "opaque",
        output_format: "png",
        quality: "high",
        size: "2048x2048",
        usage: { ...usage(4160), input_tokens_details: { image_tokens: 388, text_tokens: 112 } },
      });
    });
  }

  private async respond(request: Request, signal: AbortSignal): Promise<Response> {
    const body = (await request.json().catch(() => null)) as JsonObject | null;
    const model = String(dig(body, "model"));
    const format = dig(body, "text", "format");
    const sha256 = picturesIn(dig(body, "input")).map(sha256Of);
    const purpose = purposeOf(dig(format, "schema"));
    return await this.journal.pass(
      `openai:${purpose}`,
      { model, input: shortened(dig(body, "input")), format, sha256 },
      {},
      signal,
      async (_call, special) => {
        const early = specialFault(special, model) ?? keyFault(request) ?? responseFault(body, model, format);
        return early ? this.noted(early, special, model) : Response.json(this.response(model, purpose, special));
      },
    );
  }

  private response(model: string, purpose: Purpose, special: FaultAction | undefined) {
    const refused = outcomeOf(special) === "refused" || outcomeOf(special) === "blocked";
    const content = refused
      ? { type: "refusal", refusal: "I can't help with that." }
      : { type: "output_text", text: this.models.verdict(purpose, special), annotations: [], logprobs: [] };
    return {
      id: "resp_simulated",
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      status: "completed",
      error: null,
      incomplete_details: null,
      model,
      output: [
        { type: "reasoning", id: "rs_1", summary: [] },
        { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [content] },
      ],
      usage: {
        ...usage(96),
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 32 },
      },
    };
  }

  private async noted(early: Response, special: FaultAction | undefined, model: string): Promise<Response> {
    if (!special) this.journal.violations.push(`openai ${model}: ${early.status} ${await early.clone().text()}`);
    return early;
  }
}

async function editFault(params: JsonObject, files: Record<string, Uint8Array>): Promise<Response | undefined> {
  const strange = Object.keys({ ...params, ...files }).find((name) => !editFields.test(name));
  if (strange) return fault(400, `Unknown parameter: '${strange}'.`, "unknown_parameter", strange);
  if (!knownModel.test(String(params.model))) return unknownModel(String(params.model));
  if (typeof params.prompt !== "string" || params.prompt === "")
    return fault(400, "Missing required parameter: 'prompt'.", "missing_required_parameter", "prompt");
  const pictures = Object.entries(files).filter(([name]) => name.startsWith("image"));
  if (pictures.length === 0)
    return fault(400, "Missing required parameter: 'image'.", "missing_required_parameter", "image");
  for (const [, bytes] of pictures) {
    const readable = await sharp(bytes)
      .metadata()
      .catch(() => undefined);
    if (!readable) return fault(400, "Invalid image file or mode for image 1.", "invalid_image_file", "image");
  }
  return undefined;
}

function responseFault(body: JsonObject | null, model: string, format: Json | undefined): Response | undefined {
  if (!body || dig(body, "input") === undefined)
    return fault(400, "Missing required parameter: 'input'.", "missing_required_parameter", "input");
  if (!knownModel.test(model)) return unknownModel(model);
  if (dig(format, "type") !== "json_schema" || dig(format, "strict") !== true) return undefined;
  const loose = looseObject(dig(format, "schema"), []);
  if (!loose) return undefined;
  const message = `Invalid schema for response_format '${dig(format, "name")}': ${loose}`;
  return fault(400, message, "invalid_json_schema", "text.format.schema");
}

/** In strict mode every object names all its properties as required and allows no others. */
function looseObject(schema: Json | undefined, path: string[]): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const context = `In context=(${path.map((step) => `'${step}'`).join(", ")})`;
  const properties = dig(schema, "properties");
  if (dig(schema, "type") === "object") {
    if (dig(schema, "additionalProperties") !== false)
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
    const required = dig(schema, "required");
    const missing = Object.keys(properties ?? {}).find((name) => !(Array.isArray(required) && required.includes(name)));
    if (missing) return `${context}, 'required' must include every key in properties. Missing '${missing}'.`;
  }
  for (const [name, inner] of Object.entries(properties ?? {})) {
    const found = looseObject(inner, [...path, "properties", name]);
    if (found) return found;
  }
  return looseObject(dig(schema, "items"), [...path, "items"]);
}

/** Pictures in a request are megabytes of base64: the log keeps that they were there. */
/** Pictures given as `data:` addresses, as bytes. */
function picturesIn(value: Json | undefined): Uint8Array[] {
  const found = JSON.stringify(value ?? null).matchAll(/"data:image\/[a-z]+;base64,([^"]*)"/g);
  return [...found].map(([, data = ""]) => Buffer.from(data, "base64"));
}

function shortened(value: Json | undefined): Json | undefined {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" && part.startsWith("data:") ? `${part.slice(0, 40)}…` : part,
  );
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

function usage(output: number) {
  const input = 500;
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

function keyFault(request: Request): Response | undefined {
  const key = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
  if (key === "") return fault(401, "You didn't provide an API key.", null, null);
  return key.startsWith("bad") ? badKey() : undefined;
}

function specialFault(special: FaultAction | undefined, model: string): Response | undefined {
  switch (outcomeOf(special)) {
    case "overloaded":
      return fault(503, "The server is currently overloaded.", "server_overloaded", null, "server_error");
    case "rate_limited":
      return fault(429, "Rate limit reached.", "rate_limit_exceeded", null, "tokens", { "retry-after": "2" });
    case "bad_key":
      return badKey();
    case "forbidden":
      return fault(403, "Your organization must be verified to use this model.", null, null);
    case "unknown_model":
      return unknownModel(model);
    case "opaque_only":
      return fault(400, "Transparent background is not supported for this model.", "invalid_value", "background");
    default:
      return undefined;
  }
}

function moderationFault(special: FaultAction | undefined): Response | undefined {
  if (!/refused|blocked/.test(outcomeOf(special) ?? "")) return undefined;
  const message = "Your request was rejected by the safety system.";
  return fault(400, message, "moderation_blocked", null, "image_generation_user_error");
}

function badKey(): Response {
  return fault(401, "Incorrect API key provided: bad-***.", "invalid_api_key", null);
}

function unknownModel(model: string): Response {
  return fault(404, `The model '${model}' does not exist or you do not have access to it.`, "model_not_found", null);
}

function fault(
  status: number,
  message: string,
  code: string | null,
  param: string | null,
  type = "invalid_request_error",
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { message, type, param, code } }, { status, headers });
}
