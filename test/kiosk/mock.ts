import { file, type Server } from "bun";

/**
 * A stand-in for the api, for developing and testing the kiosk page alone: the same answers, held in memory,
 * with a guest's phone, a vision check and failures that a test plays by hand.
 */
export interface MockSession {
  token: string;
  status: string;
  lang: string | null;
  guest_name: string | null;
  template_id: string | null;
  deep_link: string;
  expires_at: string;
  queue_position: number | null;
  eta_seconds: number | null;
  problem: string | null;
}

/** What the next matching calls answer instead: a refusal, or the true answer once it is let go. */
export type Fault = { path: RegExp; method?: string; times?: number } & (
  | { status: number; code: string; headers?: Record<string, string> }
  | { heldUntil: Promise<unknown> }
);

const KIOSK = new URL("../../kiosk/", import.meta.url).pathname;
const FACE_MODEL = "/faces/face_detection_short_range.tflite";
const SESSION_MS = 600_000;
const IDS = ["astronaut", "royal", "superhero", "chef", "rockstar", "wizard", "chopon", "detective"] as const;
const TITLES: Record<string, string[]> = {
  ru: [
    "Космонавт",
    "Королева и король",
    "Супергерой",
    "Шеф-повар",
    "Рок-звезда",
    "Волшебник",
    "Чапан и дуппи",
    "Детектив",
  ],
  uz: [
    "Kosmonavt",
    "Qirol va qirolicha",
    "Superqahramon",
    "Oshpaz",
    "Rok yulduzi",
    "Sehrgar",
    "Chopon va doʻppi",
    "Izquvar",
  ],
  en: ["Astronaut", "Royalty", "Superhero", "Chef", "Rock star", "Wizard", "Chopon and doʻppi", "Detective"],
};
/** What the api sends with the page; the tests must see the page live under it. */
export const CSP =
  "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; style-src 'self'; script-src 'self'; connect-src 'self'";

export class Mock {
  readonly sessions = new Map<string, MockSession>();
  readonly photos: { token: string; bytes: Uint8Array }[] = [];
  /** Every call of the api so far, `METHOD path`. */
  readonly calls: string[] = [];
  readonly keys: (string | null)[] = [];
  /** Signs of life so far; they are no calls of a guest and stand in no other list. */
  readonly beats: Record<string, unknown>[] = [];
  /** What the heartbeat's answer tells. */
  maintenance = false;
  /** The answer of `GET /kiosk/config`; `look` names it. */
  config: Record<string, unknown> = { look: "plain" };
  /** The outfits, in order, with their cards. */
  outfits: { id: string; image_url: string }[] = IDS.map((id) => ({ id, image_url: `/outfits/${id}.svg` }));
  faults: Fault[] = [];
  deepLinkRoot = "https://t.me/my_booth_bot";
  version = "1";
  /** Files of the page that were asked for. */
  readonly files: string[] = [];
  #waiting: (() => void)[] = [];
  #server: Server<undefined>;
  #port: number;

  constructor(port = 0) {
    this.#server = this.#listen(port);
    this.#port = this.#server.port ?? port;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  #listen(port: number) {
    const fetch = async (request: Request) => {
      try {
        return await this.#answer(request);
      } finally {
        this.#look();
      }
    };
    return Bun.serve({ port, hostname: "127.0.0.1", idleTimeout: 60, fetch });
  }

  #look() {
    for (const look of this.#waiting) look();
  }

  /** Waits, from one call to the next, until `holds`; the test's own time limit ends it. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#waiting = this.#waiting.filter((other) => other !== look);
        resolve();
      };
      this.#waiting.push(look);
      look();
    });
  }

  /** How often the page has asked for a path, by any method. */
  asked(path: string | RegExp): number {
    const calls = this.calls.map((call) => call.slice(call.indexOf(" ") + 1));
    return calls.filter((call) => (typeof path === "string" ? call === path : path.test(call))).length;
  }

  stop() {
    return this.#server.stop(true);
  }

  /** After `stop()`: the same server again, its memory intact. */
  restart() {
    this.#server = this.#listen(this.#port);
  }

  /** The newest session. */
  get last(): MockSession {
    const all = [...this.sessions.values()];
    const newest = all[all.length - 1];
    if (!newest) throw new Error("no session was opened");
    return newest;
  }

  /** The guest scanned the code. */
  link(lang = "en", guest_name: string | null = "Aziza") {
    Object.assign(this.last, { status: "linked", lang, guest_name });
  }

  consent() {
    this.last.status = "consented";
  }

  /** The vision check refuses the photo. */
  refuse(problem: string) {
    Object.assign(this.last, { status: "template_chosen", problem });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const api = /^\/(session|templates)/.test(pathname);
    if (api) {
      this.calls.push(`${request.method} ${pathname}`);
      this.keys.push(request.headers.get("x-kiosk-key"));
      this.#look();
    }
    const fault = this.#fault(request.method, pathname);
    if (fault && "heldUntil" in fault) {
      const answer = await this.#truth(request, pathname, searchParams, api);
      await fault.heldUntil;
      return answer;
    }
    if (fault) {
      return Response.json(
        { error: fault.code, message: "as asked" },
        { status: fault.status, headers: fault.headers },
      );
    }
    return this.#truth(request, pathname, searchParams, api);
  }

  async #truth(request: Request, pathname: string, params: URLSearchParams, api: boolean): Promise<Response> {
    if (pathname === "/kiosk/heartbeat") {
      this.beats.push((await request.json()) as Record<string, unknown>);
      return Response.json({ maintenance: this.maintenance, look: this.config.look });
    }
    if (pathname === "/kiosk/config") return Response.json(this.config);
    if (!api) this.files.push(pathname);
    if (pathname === "/shell-version") return new Response(this.version);
    return api ? this.#api(request, pathname, params) : this.#file(pathname, request);
  }

  #fault(method: string, path: string): Fault | undefined {
    const at = this.faults.findIndex((fault) => fault.path.test(path) && (fault.method ?? method) === method);
    const found = this.faults[at];
    if (found?.times !== undefined && --found.times <= 0) this.faults.splice(at, 1);
    return found;
  }

  async #api(request: Request, path: string, params: URLSearchParams): Promise<Response> {
    const refuse = (status: number, error: string) => Response.json({ error, message: error }, { status });
    if (path === "/templates") {
      const titles = TITLES[params.get("lang") ?? ""] ?? [];
      const titleOf = (id: string) => titles[(IDS as readonly string[]).indexOf(id)] ?? id;
      return Response.json(this.outfits.map((outfit) => ({ ...outfit, title: titleOf(outfit.id) })));
    }
    if (path === "/session") {
      const { lang } = (await request.json()) as { lang?: string };
      const session = this.#open(lang ?? null);
      return Response.json(session, { status: 201 });
    }
    const [, token = "", action] = path.match(/^\/session\/([\w-]+)(?:\/([\w.]+))?$/) ?? [];
    const session = this.sessions.get(token);
    if (!session) return refuse(404, "not_found");
    if (request.method === "GET") {
      if (action === "qr.svg")
        return new Response(await qr(session.deep_link), { headers: { "content-type": "image/svg+xml" } });
      return Response.json(session);
    }
    if (action === "expire") {
      if (["created", "linked", "consented", "template_chosen"].includes(session.status)) {
        Object.assign(session, { status: "expired", problem: "reset" });
      }
      return Response.json(session);
    }
    if (action === "template") {
      if (session.status !== "consented") return refuse(409, "wrong_status");
      const { template_id } = (await request.json()) as { template_id: string };
      Object.assign(session, { status: "template_chosen", template_id });
      return Response.json(session);
    }
    const bytes = new Uint8Array(await ((await request.formData()).get("photo") as File).arrayBuffer());
    if (session.status !== "template_chosen" && session.status !== "photo_taken") return refuse(409, "wrong_status");
    this.photos.push({ token, bytes });
    Object.assign(session, { status: "photo_taken", problem: null, queue_position: 2, eta_seconds: 95 });
    return Response.json(session, { status: 202 });
  }

  #open(lang: string | null): MockSession {
    const token = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString("base64url");
    const session: MockSession = {
      token,
      status: "created",
      lang,
      guest_name: null,
      template_id: null,
      deep_link: `${this.deepLinkRoot}?start=${token}`,
      expires_at: new Date(Date.now() + SESSION_MS).toISOString(),
      queue_position: null,
      eta_seconds: null,
      problem: null,
    };
    this.sessions.set(token, session);
    return session;
  }

  async #file(path: string, request: Request): Promise<Response> {
    const wanted =
      path === FACE_MODEL
        ? file(new URL(import.meta.resolve(`@mediapipe/face_detection${path.slice("/faces".length)}`)))
        : file(KIOSK + (path === "/" ? "index.html" : path.slice(1)));
    if (path.includes("..") || !(await wanted.exists())) return new Response("not found", { status: 404 });
    const bytes = await wanted.bytes();
    const etag = `"${Bun.hash(bytes)}-${this.version}"`;
    const headers = { etag, "content-security-policy": CSP, "content-type": wanted.type, "cache-control": "no-cache" };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    return new Response(bytes, { headers });
  }
}

async function qr(text: string): Promise<string> {
  const { renderSVG } = await import("uqr");
  return renderSVG(text, { border: 2 });
}

if (import.meta.main) {
  const mock = new Mock(8123);
  console.log(`the kiosk against the stand-in: ${mock.url}`);
}
