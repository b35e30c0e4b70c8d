/**
 * What the tests of the operators' page share: a booth in the middle of a plausible evening, and its page in a real
 * Chromium. It is 21:30 there, wherever and whenever the tests run.
 */
import type { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { noteKiosk } from "../shared/kiosks.ts";
import { admin, openBooth, PASSWORD, USER } from "./admin-world.ts";
import { findChromium } from "./kiosk/browser.ts";
import { store, withDb } from "./leads-world.ts";
import type { World } from "./world.ts";

const ROOT = join(import.meta.dir, "..");
const ARGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
export const VIEWS = ["now", "jobs", "visits", "outfits", "leads", "costs", "settings", "audit"];
export const LANGS = ["en", "ru", "uz"] as const;
/** Many views, each looked through by axe, on a machine that others use too. */
export const LONG_MS = 240_000;
export const FAILED_JOB = 2;
/** Packs 1 and 2 were made by the bot; the seeded ones follow. */
export const WAITING_JOB = 900;

const HOUR_MS = 3_600_000;
/** Longer pauses are ended by the bot: a clock was set. */
const PAUSE_MS = 13 * 60_000;
/** Often enough that none falls silent, which takes a minute, on a machine that is busy with something else. */
const BEAT_MS = 10_000;
const badSheet = { usable: false, problem: "distorted", stickers: [] };

/** Chromium's path, or null with a word about why these tests do not run. */
export function chromiumPath(): string | null {
  const path = findChromium();
  if (!path) console.warn("SKIPPED: the operators' page in a browser needs Chromium (set CHROMIUM_PATH).");
  return path;
}

export const launch = (path: string): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: ARGS.split(" ") });

/**
 * One guest got a pack, one failed, others are everywhere between; a pack waits for Telegram, one kiosk has lost its
 * camera, one cannot stay awake, one is silent.
 */
export async function openEvening(env: Record<string, string> = {}): Promise<World> {
  const world = await openBooth({
    env: { DAILY_BUDGET_USD: "50", LEADS_SECRET: "0123456789abcdef0123", ...env },
  });
  world.sim.guest(7301, { name: "Madina" });
  world.sim.guest(7302, { name: "Dilnoza" });
  const good = await world.visit(7301);
  await world.sendPhoto(good, world.selfie());
  await world.reaches(good, "done");
  world.sim.models.sheet = badSheet;
  const failed = await world.visit(7302, "en", "chef");
  await world.sendPhoto(failed, world.selfie());
  await world.reaches(failed, "failed");
  world.sim.models.sheet = undefined;
  withDb(world, (db) => {
    seedVisits(db, Date.now());
    seedPacks(db, Date.now());
    noteKiosk(db, { kiosk: "entrance", screen: "start", camera: "off" }, Date.now() - HOUR_MS);
    seedLeads(db, Date.now());
  });
  keepKiosksAlive(world);
  await admin(world, "POST maintenance", { on: true, reason: "Cake" });
  await admin(world, "POST maintenance", { on: false });
  await admin(world, "PUT templates/detective", { enabled: false });
  await admin(world, "PUT settings", { PACK_LIMIT: 4 });
  return world;
}

/** Guests on their way, each where a visit can stand before the photo. */
function seedVisits(db: Database, now: number) {
  const visits: [status: string, name: string, kiosk: string][] = [
    ["created", "", "hall-1"],
    ["linked", "Muhammadsodiqbek Abdurahmonov", "hall-2"],
    ["consented", "Артём", "hall-3"],
    ["template_chosen", "Emma", "hall-1"],
    ["expired", "Жасур", "hall-1"],
    ["blocked", "Oybek", "hall-2"],
  ];
  visits.forEach(([status, name, kiosk], i) => {
    const id = 8000 + i;
    const at = now - (i + 1) * 40_000;
    if (name)
      db.query("INSERT INTO users (id, first_name, lang, created_at, seen_at) VALUES (?, ?, 'uz', ?, ?)").run(
        id,
        name,
        at,
        at,
      );
    const token = `evening-visit-of-guest-${id}`;
    db.query(
      `INSERT INTO sessions (token, status, kiosk, lang, user_id, template_id, problem, created_at, updated_at, expires_at)
       VALUES (?, ?, ?, 'uz', ?, 'wizard', ?, ?, ?, ?)`,
    ).run(token, status, kiosk, name ? id : null, status === "blocked" ? "pack_limit" : null, at, at, now + HOUR_MS);
    const way = ["created", "linked", "consented", "template_chosen", "photo_taken"];
    const far = status === "expired" ? 2 : status === "blocked" ? 2 : way.indexOf(status) + 1;
    for (const [step, after] of way.slice(0, far).entries())
      tell(db, "sessions", token, way[step - 1] ?? null, after, null, at);
    if (status === "expired") tell(db, "sessions", token, "linked", "expired", "timeout", at);
    if (status === "blocked") tell(db, "sessions", token, "linked", "blocked", "pack_limit", at);
  });
}

const tell = (
  db: Database,
  machine: string,
  subject: string,
  before: string | null,
  after: string,
  reason: string | null,
  at: number,
) =>
  db
    .query(
      "INSERT INTO history (machine, subject, before, after, actor, reason, at) VALUES (?, ?, ?, ?, 'kiosk', ?, ?)",
    )
    .run(machine, subject, before, after, reason, at);

/** Seven hours of packs, two weeks of costs, one that failed, one that waits for Telegram. */
function seedPacks(db: Database, now: number) {
  const names = ["Sevara", "Тимур", "Laylo", "Bekzod", "Анна", "Jamshid"];
  let id = 100;
  for (let hour = 7; hour >= 1; hour--) {
    for (let n = 0; n < [0, 9, 14, 22, 18, 7, 3, 1][hour]!; n++) {
      const problem = hour === 3 && n === 5 ? "providers_down" : null;
      const at = now - hour * HOUR_MS + n * 120_000;
      pack(db, { id: id++, name: names[id % names.length] ?? "", at, ms: 31_000 + hour * 4000 + n * 700, problem });
    }
  }
  for (let day = 1; day < 14; day++) bill(db, null, "gemini", 0.06 * ((day * 7) % 23), now - day * 24 * HOUR_MS);
  pack(db, { id: WAITING_JOB, name: "Malika", at: now - 95_000, ms: null, problem: null });
}

type Seeded = { id: number; name: string; at: number; ms: number | null; problem: string | null };

function pack(db: Database, { id, name, at, ms, problem }: Seeded) {
  const token = `evening-visit-of-pack-${id}`;
  const status = ms === null ? "queued" : problem ? "failed" : "done";
  const done = ms === null ? null : at + ms;
  const visit = status === "queued" ? "photo_taken" : status;
  db.query("INSERT INTO users (id, first_name, lang, created_at, seen_at) VALUES (?, ?, 'ru', ?, ?)").run(
    id,
    name,
    at,
    at,
  );
  db.query(
    `INSERT INTO sessions (token, status, kiosk, lang, user_id, template_id, problem, created_at, updated_at, expires_at)
     VALUES (?, ?, ?, 'ru', ?, 'royal', ?, ?, ?, ?)`,
  ).run(token, visit, `hall-${1 + (id % 3)}`, id, problem, at, at, at + HOUR_MS);
  db.query(
    `INSERT INTO jobs (id, session_token, user_id, template_id, lang, status, problem, attempt, selfie, selfie_check,
       sheet, sheet_by, sheet_check, stickers, not_before, created_at, updated_at, started_at, finished_at)
     VALUES (?, ?, ?, 'royal', 'ru', ?, ?, 3, 'selfie.jpg', '{}', 'sheet.png', 'gemini', '{}', '[]', ?, ?, ?, ?, ?)`,
  ).run(id, token, id, status, problem, status === "queued" ? Date.now() + PAUSE_MS : 0, at, at, at + 500, done);
  const way = [
    "created",
    "linked",
    "consented",
    "template_chosen",
    "photo_taken",
    ...(done && !problem ? ["done"] : []),
  ];
  for (const [step, after] of way.entries()) tell(db, "sessions", token, way[step - 1] ?? null, after, null, at);
  tell(db, "jobs", String(id), null, "queued", null, at);
  bill(db, id, id % 4 === 0 ? "openai" : "gemini", 0.061, at + 500);
  if (status !== "queued") return;
  for (let attempt = 1; attempt <= 2; attempt++)
    db.query(
      "INSERT INTO steps (job_id, attempt, name, outcome, at, ms) VALUES (?, ?, 'pack', 'telegram_silent', ?, 30000)",
    ).run(id, attempt, at + attempt * 31_000);
}

const bill = (db: Database, job: number | null, provider: string, usd: number, at: number) =>
  db
    .query(
      `INSERT INTO ai_usage (job_id, provider, model, purpose, outcome, input_tokens, output_tokens, images, usd, ms, at)
       VALUES (?, ?, 'model', 'draw', 'ok', 100, 100, 1, ?, 24000, ?)`,
    )
    .run(job, provider, usd, at);

/** Three go on telling how they are until the evening ends, as kiosks do: the look of the page is not to depend on how long the tests take. */
function keepKiosksAlive(world: World) {
  const beat = () =>
    withDb(world, (db) => {
      const now = Date.now();
      noteKiosk(
        db,
        { kiosk: "hall-1", screen: "camera", camera: "ok", battery: 0.8, charging: true, wake_lock: true },
        now,
      );
      noteKiosk(db, { kiosk: "hall-2", screen: "camera", camera: "blocked", battery: 0.1, wake_lock: true }, now);
      noteKiosk(db, { kiosk: "hall-3", screen: "start", camera: "ok", battery: 0.64, wake_lock: false }, now);
    });
  beat();
  const beats = setInterval(beat, BEAT_MS);
  const end = world[Symbol.asyncDispose].bind(world);
  world[Symbol.asyncDispose] = () => {
    clearInterval(beats);
    return end();
  };
}

function seedLeads(db: Database, now: number) {
  const HOURS = [50, 26, 3, 1, 0.2];
  const requests = [
    {
      name: "ООО «Праздник»",
      contact: "events@prazdnik.uz",
      event_type: "corporate",
      guests: 350,
      event_date: "2027-12-29",
    },
    {
      name: "Камила",
      contact: "@kamila_wed",
      event_type: "wedding",
      guests: 120,
      city: "Toshkent",
      event_date: "2027-05-15",
    },
    { name: "Aziz", contact: "+998 90 123-45-67", event_type: "birthday", guests: 1, city: "Samarqand" },
    {
      name: "Nodira",
      contact: "call me after six, please",
      comment: "We have a big garden and no idea about light. Is a tent fine?",
    },
    { name: "John", contact: "https://t.me/john_wick", event_type: "other", event_date: "2027-03-01" },
  ] as const;
  for (const [i, request] of requests.entries()) store(db, request, Math.round(now - (HOURS[i] ?? 1) * HOUR_MS));
  db.query("UPDATE leads SET status = 'won', status_by = 'Aziza' WHERE number = 1").run();
  db.query("UPDATE leads SET status = 'in_progress', status_by = 'Rustam' WHERE number = 2").run();
}

export type Opened = AsyncDisposable & { page: Page; complaints: string[] };
export type OpenOptions = BrowserContextOptions & { lang?: (typeof LANGS)[number] };

/** The page at a view, with the operators' password; `lang` is chosen as an operator would have. */
export async function openPage(
  browser: Browser,
  world: World,
  view: string,
  options: OpenOptions = {},
): Promise<Opened> {
  const { lang, ...context } = options;
  const opened = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    httpCredentials: { username: USER, password: PASSWORD },
    ...context,
  });
  if (lang) await opened.addInitScript((chosen) => localStorage.setItem("admin_lang", chosen), lang);
  const page = await opened.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${world.url}/admin#${view}`);
  await shown(page, view);
  return { page, complaints, [Symbol.asyncDispose]: () => opened.close() };
}

/** Goes to a view and waits until it is there. */
export async function goTo(page: Page, view: string) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, view);
  await shown(page, view);
}

const shown = (page: Page, view: string) => page.waitForSelector(`main[data-shown="#${view}"]`);

type Violation = { id: string; nodes: { html: string }[] };

/** What axe finds, each as one line. */
export async function faultsOf(page: Page): Promise<string[]> {
  // As a file of the page's own would come: its policy lets no other script run.
  await page.evaluate(readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return found.map((v) => `${v.id}: ${v.nodes.map((node) => node.html).join(" | ")}`.slice(0, 400));
}

/** What sticks out of the window or of its own box, each as one line; what scrolls on purpose does not. */
export const overflowsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said = (element: Element) => `${element.tagName}.${element.className} “${element.textContent?.slice(0, 40)}”`;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    for (const element of document.querySelectorAll("main *, #verdict *, header *, dialog[open] *")) {
      if (element.closest("#views") || element.closest("svg")) continue;
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      if (box.width === 0 || style.position === "absolute" || element.closest("thead")) continue;
      if (box.right > innerWidth + 1) found.push(`out of the window: ${said(element)}`);
      const clips = style.display !== "inline" && !element.matches("input, textarea, select, img");
      if (clips && element.scrollWidth > element.clientWidth + 1) found.push(`out of its box: ${said(element)}`);
    }
    return found.slice(0, 8);
  });

/** Words of the charts that lie on one another, each as one line. */
export const touchesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const words = [...document.querySelectorAll("svg.chart text")].map((element) => ({
      said: element.textContent,
      box: element.getBoundingClientRect(),
    }));
    return words.flatMap(({ said, box: a }, i) =>
      words
        .slice(i + 1)
        .filter(({ box: b }) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((other) => `${said} | ${other.said}`),
    );
  });

/** Calls of this kind wait from now on, until they are released. */
export async function hold(page: Page, url: string, method = "GET") {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    reached.resolve();
    await released.promise;
    await route.continue();
  });
  return { reached: reached.promise, release: released.resolve };
}

/** The page asks anew, as it does when somebody comes back to it, and has drawn the answer. */
export async function redrawn(page: Page) {
  await page.evaluate(() => {
    document.querySelector("main > *")?.setAttribute("data-old", "");
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.waitForFunction(() => !document.querySelector("main > [data-old]"));
}
