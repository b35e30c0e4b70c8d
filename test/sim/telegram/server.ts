/** The Bot API over HTTP: `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
import { Refusal } from "../errors.ts";
import type { Journal } from "../journal.ts";
import type { Call, JsonObject } from "../types.ts";
import { messageMethods } from "./messages.ts";
import type { Method } from "./method.ts";
import type { RateLimits } from "./rates.ts";
import { restMethods } from "./rest.ts";
import { stickerMethods } from "./stickers.ts";
import { checkParams, fromForm, methodNamed, takes } from "./validate.ts";
import type { World } from "./world.ts";

const methods: Record<string, Method> = { ...messageMethods, ...stickerMethods, ...restMethods };

type Given = { params: JsonObject; files: Record<string, Uint8Array> };

export class TelegramServer {
  constructor(
    private readonly world: World,
    private readonly journal: Journal,
    private readonly rates: RateLimits,
  ) {}

  /** Undefined when the path is none of the Bot API's. */
  handle(request: Request, path: string, signal: AbortSignal): Promise<Response> | undefined {
    const call = /^\/bot([^/]+)\/(\w+)$/.exec(path);
    if (call) return this.call(request, call[1] ?? "", call[2] ?? "", signal);
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
    if (file) return this.download(file[1] ?? "", file[2] ?? "", signal);
    return undefined;
  }

  private async call(request: Request, token: string, name: string, signal: AbortSignal): Promise<Response> {
    const method = methodNamed(name);
    const given = await readParams(request, method ?? name);
    return await this.journal.pass(
      `telegram:${method ?? name}`,
      given.params,
      given.files,
      signal,
      async (call): Promise<Response> => {
        try {
          if (token !== this.world.token) throw new Refusal(401, "Unauthorized");
          if (!method || !methods[method]) throw new Refusal(404, "Not Found: method not found", { wrongCall: true });
          const params = checkParams(method, given.params);
          this.rates.count(method, params);
          const result = await methods[method]({ world: this.world, params, files: given.files, signal });
          call.outcome = "ok";
          call.result = structuredClone(result);
          return this.json({ ok: true, result }, 200);
        } catch (error) {
          return this.refusal(call, error);
        }
      },
    );
  }

  private refusal(call: Call, error: unknown): Response {
    if (!(error instanceof Refusal)) {
      // A fault of the simulator itself must not look like one of Telegram's.
      console.error("the simulator failed at", call.target, error);
      call.outcome = "simulator failed";
      return this.json({ ok: false, error_code: 500, description: "Internal Server Error" }, 500);
    }
    const { code, description, options } = error;
    call.outcome = `refused ${code} ${description}`;
    if (options.wrongCall) this.journal.violations.push(`${call.target.replace("telegram:", "")}: ${description}`);
    const parameters = options.parameters && { parameters: options.parameters };
    return this.json({ ok: false, error_code: code, description, ...parameters }, code);
  }

  private download(token: string, path: string, signal: AbortSignal): Promise<Response> {
    return this.journal.pass("file", { path }, {}, signal, () => {
      const file = [...this.world.files.values()].find((one) => one.path === path);
      if (token !== this.world.token || !file)
        return this.json({ ok: false, error_code: 404, description: "Not Found" }, 404);
      return new Response(file.bytes.slice(), { headers: { "content-type": "application/octet-stream" } });
    });
  }

  private json(body: unknown, status: number): Response {
    return Response.json(body, { status, headers: { date: new Date(this.world.nowMs()).toUTCString() } });
  }
}

/** JSON, forms and the query string, as the Bot API takes them. */
async function readParams(request: Request, method: string): Promise<Given> {
  const params: JsonObject = {};
  const files: Record<string, Uint8Array> = {};
  for (const [name, text] of new URL(request.url).searchParams) params[name] = fromForm(method, name, text);
  const type = request.headers.get("content-type") ?? "";
  if (type.includes("json")) {
    const body: unknown = await request.json().catch(() => ({}));
    Object.assign(params, body);
  } else if (type.includes("form")) {
    const form = await request.formData();
    for (const [name, part] of form) {
      if (typeof part === "string") params[name] = fromForm(method, name, part);
      else files[name] = new Uint8Array(await part.arrayBuffer());
    }
    // A file sent under the name of a parameter is that parameter; parts that nothing names are ignored.
    for (const name of Object.keys(files)) if (takes(method, name)) params[name] ??= `attach://${name}`;
  }
  return { params, files };
}
