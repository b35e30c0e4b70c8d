/**
 * A full booth: N kiosks that poll each second, guests walking through, leads arriving, operators' pages open, instant artists.
 *
 *     bun test/bench/load.ts --kiosks 1000 --seconds 600 [--guests 20] [--leads 30] [--admins 2]
 *
 * Guests and leads are a minute's. Prints the latencies of `GET /session` as its callers see them, what went wrong, the
 * packs, and how memory and loops did. The callers share the machine's cores with the booth.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { World } from "../world.ts";
import { unitEnv } from "./unit-env.ts";

const SECRET = "the-form's-secret-0123456789";
const BASIC = { authorization: `Basic ${Buffer.from("boss:correct-horse").toString("base64")}` };
/** As the kiosk's page does: so long after an answer, and up to a tenth more. */
const POLL_MS = 1_000;
const POLL_SPREAD = 0.1;
const SAMPLE_MS = 5_000;
const ADMIN_MS = 5_000;
const LAST_PACKS_MS = 120_000;
const PAGE_BYTES = 4096;
const STICKERS = "4";

const { values } = parseArgs({
  options: {
    kiosks: { type: "string", default: "20" },
    seconds: { type: "string", default: "20" },
    guests: { type: "string", default: "20" },
    leads: { type: "string", default: "30" },
    admins: { type: "string", default: "2" },
  },
});
const whole = (name: keyof typeof values) => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} must be a whole number`);
  process.exit(2);
};
const wanted = {
  kiosks: whole("kiosks"),
  seconds: whole("seconds"),
  guests: whole("guests"),
  leads: whole("leads"),
  admins: whole("admins"),
};

await using world = await World.open({
  env: {
    PACK_LIMIT: "0",
    LEADS_SECRET: SECRET,
    ADMIN_USER: "boss",
    ADMIN_PASSWORD: "correct-horse",
    STICKERS_PER_PACK: STICKERS,
    ...unitEnv(),
  },
});
const until = performance.now() + wanted.seconds * 1000;
const running = () => performance.now() < until;
const latencies: number[] = [];
const errors = new Map<string, number>();
const count = (what: string) => errors.set(what, (errors.get(what) ?? 0) + 1);
let accepted = 0;

/** One call, its outcome counted. @returns the body of a good answer */
async function call(kiosk: number, method: string, path: string, body?: object | FormData, timed = false) {
  const started = performance.now();
  try {
    const isForm = body instanceof FormData;
    const response = await fetch(world.url + path, {
      method,
      // Each kiosk is a caller of its own to the limits.
      headers: {
        "x-forwarded-for": `10.0.${kiosk >> 8}.${kiosk & 255}`,
        "x-stickers-leads-secret": SECRET,
        ...(path.startsWith("/admin") ? BASIC : {}),
        ...(body && !isForm ? { "content-type": "application/json" } : {}),
      },
      body: isForm ? body : body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (timed) latencies.push(performance.now() - started);
    if (response.ok) return answer;
    count(`${method} ${path.replace(/[A-Za-z0-9_-]{22,}/, "…")} ${response.status}`);
  } catch (error) {
    count(`${method} ${error instanceof Error ? error.message : error}`);
  }
  return null;
}

/** A kiosk that shows a code and asks each second, at a moment of its own; when guests come it serves them. */
async function kiosk(id: number) {
  await Bun.sleep(Math.random() * POLL_MS);
  while (running()) {
    const token: string | undefined = (await call(id, "POST", "/session", { kiosk: `k${id}`, lang: "en" }))?.token;
    let guest = waiting.shift();
    if (token && guest !== undefined) world.sim.guestSays(guest, `/start ${token}`, { lang: "en" });
    while (token && running()) {
      const session = await call(id, "GET", `/session/${token}`, undefined, true);
      if (session?.status === "expired") break;
      if (session) {
        guest ??= session.status === "created" ? waiting.shift() : undefined;
        if (guest !== undefined && (await serve(id, token, guest, session.status)) === "home") break;
      }
      await Bun.sleep(POLL_MS * (1 + POLL_SPREAD * Math.random()));
    }
  }
}

/** What guest and kiosk do at each status. */
async function serve(id: number, token: string, guest: number, status: string): Promise<"home" | undefined> {
  const { sim } = world;
  if (status === "created") sim.guestSays(guest, `/start ${token}`, { lang: "en" });
  if (status === "linked") {
    const yes = `consent:${token}:yes`;
    if (sim.buttons(guest).some((button) => button.callback_data === yes)) sim.guestPresses(guest, yes);
  }
  if (status === "consented") await call(id, "POST", `/session/${token}/template`, { template_id: "astronaut" });
  if (status === "template_chosen") {
    const form = new FormData();
    form.append("photo", new Blob([Uint8Array.from(selfie)], { type: "image/jpeg" }), "selfie.jpg");
    if (await call(id, "POST", `/session/${token}/photo`, form)) accepted += 1;
  }
  return ["photo_taken", "done", "failed", "expired", "blocked"].includes(status) ? "home" : undefined;
}

/** Does something so many times a minute. */
async function each(perMinute: number, work: (nth: number) => unknown) {
  for (let nth = 0; perMinute > 0 && running(); nth++) {
    await Bun.sleep(60_000 / perMinute);
    if (running()) void work(nth);
  }
}

const selfie = world.selfie();
const waiting: number[] = [];
const memory: Record<"api" | "bot", number[]> = { api: [], bot: [] };
const late = new Set<string>();

const residentMb = (pid: number | undefined) =>
  (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES) / 2 ** 20;

async function sample() {
  while (running()) {
    memory.api.push(residentMb(world.api?.process.pid));
    memory.bot.push(residentMb(world.bot?.process.pid));
    const health = await call(0, "GET", "/health");
    if (health && health.status !== "ok") late.add(JSON.stringify(health.status));
    await Bun.sleep(SAMPLE_MS);
  }
}

async function operator(id: number) {
  while (running()) {
    for (const path of ["overview", "jobs", "leads"]) await call(id, "GET", `/admin/api/${path}`);
    await Bun.sleep(ADMIN_MS);
  }
}

await Promise.all([
  ...Array.from({ length: wanted.kiosks }, (_, id) => kiosk(id)),
  ...Array.from({ length: wanted.admins }, (_, id) => operator(60_000 + id)),
  each(wanted.guests, (nth) => waiting.push(10_000 + nth)),
  each(wanted.leads, (nth) =>
    call(0, "POST", "/leads", {
      request_id: crypto.randomUUID(),
      name: "Aziz",
      contact: "@aziz",
      locale: "uz",
      visitor_ip: `10.1.${nth >> 8}.${nth & 255}`,
    }),
  ),
  sample(),
]);
const counted = (what: string) => Number(world.rows(`SELECT count(*) AS n FROM ${what}`)[0].n);
const delivered = () => counted("jobs WHERE status = 'done'");
const failed = () => counted("jobs WHERE status = 'failed'");
const cards = () => counted("leads WHERE published_at IS NOT NULL");
await world.eventually(() => delivered() + failed() >= accepted, "the last packs", LAST_PACKS_MS);
await world.eventually(() => cards() === counted("leads"), "the last cards", LAST_PACKS_MS);

latencies.sort((a, b) => a - b);
const at = (share: number) => Number((latencies[Math.floor((latencies.length - 1) * share)] ?? 0).toFixed(1));
/** The lowest and the highest in each tenth of the time: a leak lifts the lowest, work comes and goes in the highest. */
const course = (values: number[]) => {
  const tenths = Array.from({ length: 10 }, (_, nth) => {
    const [from, to] = [nth, nth + 1].map((n) => Math.floor((values.length * n) / 10)) as [number, number];
    return values.slice(from, Math.max(from + 1, to));
  });
  return tenths.map((part) => `${Math.min(...part).toFixed(0)}–${Math.max(...part).toFixed(0)}`).join(" ");
};
console.log({
  kiosks: wanted.kiosks,
  seconds: wanted.seconds,
  polls: latencies.length,
  get_session_ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
  photos: accepted,
  packs_delivered: delivered(),
  packs_failed: failed(),
  leads: counted("leads"),
  leads_in_the_group: cards(),
  api_mb: course(memory.api),
  bot_mb: course(memory.bot),
  unhealthy: [...late],
  errors: Object.fromEntries(errors),
});
