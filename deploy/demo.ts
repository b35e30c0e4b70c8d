/**
 * `bun run demo`: the whole booth on one machine, without keys and accounts. Starts the simulated Telegram with its
 * phone page, then the real api, bot and landing against it, and prints where to look.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { OPERATORS_CHAT_ID, SALES_CHAT_ID, type Sim, startSim } from "../test/sim/sim.ts";
import { Crew, DemoFault, type Env } from "./demo-crew.ts";

const USAGE = `bun run demo [--keep [DIR]] [--ai] [--verbose]

  --keep [DIR]  keep the data folder at the end; with DIR, use that folder
  --ai          draw with real models: AI_PROVIDERS and the keys come from the environment
  --verbose     show the logs of all processes here instead of writing them to files`;

const HOST = "127.0.0.1";
const KIOSK_PORT = 8000;
const PHONE_PORT = 8001;
const LANDING_PORT = 8002;
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 150;
const PARENT_EVERY_MS = 1000;
const EXIT_USAGE = 64;
/** The developer's own settings and `.env` stay out of the demo; these are what programs need to run at all. */
const inherited = /^(PATH|HOME|TMPDIR|LANG|LC_.*|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|HTTPS?_PROXY|NO_PROXY)$/i;
const ofAi = /^(AI_PROVIDERS|(GEMINI|OPENAI)_(API_KEY|BASE_URL|IMAGE_MODEL|VISION_MODEL)|DAILY_BUDGET_USD)$/;

type Options = { keep: boolean; folder?: string; ai: boolean; verbose: boolean };
type Links = { kiosk: string; phone: string; admin: string; landing: string; user: string; password: string };

const options = readOptions(process.argv.slice(2));
const stopAsked = Promise.withResolvers<never[]>();
listenForStop();
process.exit(await run());

/** Starts everything, waits for the end, takes everything away; gives the exit code. */
async function run(): Promise<number> {
  let crew: Crew | undefined;
  let sim: Sim | undefined;
  let folder: string | undefined;
  try {
    folder = openFolder();
    sim = await startSim({ port: freePort(PHONE_PORT) });
    invitePeople(sim);
    crew = new Crew(options.verbose ? undefined : folder);
    const links = await startAll(crew, sim, folder);
    if (links) console.log(greeting(links, folder));
    await Promise.race([stopAsked.promise, crew.anyDeath()]);
    return 0;
  } catch (error) {
    if (!(error instanceof DemoFault)) throw error;
    console.error(`\nThe demo ended: ${error.message}`);
    return 1;
  } finally {
    await crew?.stop();
    await sim?.stop();
    if (folder && !options.keep) rmSync(folder, { recursive: true, force: true });
    else if (folder) console.log(`The data stays in ${folder}`);
  }
}

/** Starts the processes and waits until the booth is open; undefined when a stop came first. */
async function startAll(crew: Crew, sim: Sim, folder: string): Promise<Links | undefined> {
  const kiosk = `http://${HOST}:${freePort(KIOSK_PORT)}`;
  const landing = `http://${HOST}:${freePort(LANDING_PORT)}`;
  const user = "operator";
  const password = randomBytes(6).toString("base64url");
  const secret = randomBytes(18).toString("base64url");
  const booth: Env = {
    ...pick(inherited),
    ...sim.env(),
    NODE_ENV: "production",
    BOT_USERNAME: sim.botUsername,
    DATA_DIR: folder,
    HOST,
    PORT: new URL(kiosk).port,
    PUBLIC_URL: kiosk,
    ADMIN_USER: user,
    ADMIN_PASSWORD: password,
    LEADS_SECRET: secret,
    PACK_LIMIT: "20",
    TEAM_LANG: "ru",
    ...artists(),
  };
  crew.start("api", booth);
  crew.start("bot", booth);
  crew.start("landing", {
    ...pick(inherited),
    NODE_ENV: "production",
    LANDING_HOST: HOST,
    LANDING_PORT: new URL(landing).port,
    LANDING_PHONE: "+998 90 000-00-00",
    LEADS_ENDPOINT: `${kiosk}/leads`,
    LEADS_SECRET: secret,
    BOT_TOKEN: sim.token,
    LEADS_CHAT_ID: String(sim.salesChatId),
    TELEGRAM_API_ROOT: sim.root,
  });
  const opened = await Promise.race([boothOpen(`${kiosk}/health`), crew.anyDeath(), stopAsked.promise]);
  if (opened !== true) return undefined;
  return { kiosk, phone: `${sim.root}/phone`, admin: `${kiosk}/admin`, landing, user, password };
}

/** The built-in artist, or with `--ai` the models whose keys the environment has. */
function artists(): Env {
  const none: Env = { GEMINI_API_KEY: "", OPENAI_API_KEY: "", GEMINI_BASE_URL: "", OPENAI_BASE_URL: "" };
  if (!options.ai) return { ...none, AI_PROVIDERS: "offline" };
  const given = pick(ofAi);
  if (!given.GEMINI_API_KEY && !given.OPENAI_API_KEY)
    throw new DemoFault("--ai needs GEMINI_API_KEY or OPENAI_API_KEY in the environment.");
  return { ...none, ...given };
}

/** Guests of three languages, and one person in each group, both speaking `TEAM_LANG`; the operator asks first how the booth is. */
function invitePeople(sim: Sim): void {
  sim.guest(7001, { name: "Madina", lang: "uz", username: "madina" });
  sim.guest(7002, { name: "Артём", lang: "ru", username: "artyom" });
  sim.guest(7003, { name: "Emma", lang: "en", username: "emma" });
  sim.joins(OPERATORS_CHAT_ID, 9001, "creator", { name: "Dilshod", lang: "ru", username: "dilshod" });
  sim.joins(SALES_CHAT_ID, 9002, "creator", { name: "Kamila", lang: "ru", username: "kamila" });
  sim.operatorSays(OPERATORS_CHAT_ID, 9001, "/status");
}

async function boothOpen(healthUrl: string): Promise<true> {
  const deadline = Date.now() + READY_WITHIN_MS;
  let last = "no answer";
  while (Date.now() < deadline) {
    const answer = await fetch(healthUrl).catch(() => undefined);
    if (answer?.ok) return true;
    if (answer) last = await answer.text();
    await Bun.sleep(LOOK_EVERY_MS);
  }
  throw new DemoFault(`the booth did not open within ${READY_WITHIN_MS / 1000} s. Its health: ${last}`);
}

/** The wanted port when it is free, otherwise any free one. */
function freePort(wanted: number): number {
  for (const port of [wanted, 0]) {
    try {
      const probe = Bun.serve({ hostname: HOST, port, reusePort: false, fetch: () => new Response() });
      const free = probe.port ?? port;
      probe.stop(true);
      return free;
    } catch {
      // Somebody listens there: the next one.
    }
  }
  throw new DemoFault(`no free port on ${HOST}.`);
}

function openFolder(): string {
  try {
    if (!options.folder) return mkdtempSync(join(tmpdir(), "booth-demo-"));
    const folder = resolve(options.folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    throw new DemoFault(`the data folder cannot be made (${error instanceof Error ? error.message : error}).`);
  }
}

function greeting(links: Links, folder: string): string {
  const logs = options.verbose ? "" : `\n  Logs     ${folder}/{api,bot,landing}.log`;
  return `
  The sticker booth is open.

  Kiosk    ${links.kiosk}/
  Phone    ${links.phone}
  Admin    ${links.admin}   (${links.user} / ${links.password})
  Landing  ${links.landing}/${logs}

  Open the kiosk and the phone side by side. Tap Start on the kiosk, then click the address under
  the code: on a real phone that is the scan. Ctrl-C stops everything${options.keep ? "." : " and leaves nothing behind."}
`;
}

/** Signals, a closed terminal, and a parent (npx) that was ended without passing the signal on. */
function listenForStop(): void {
  let asked = false;
  const stop = () => {
    if (asked) return;
    asked = true;
    console.log("\nStopping…");
    stopAsked.resolve([]);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), PARENT_EVERY_MS).unref();
}

function readOptions(args: string[]): Options {
  const flag = { type: "boolean" as const };
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { keep: flag, ai: flag, verbose: flag, help: flag },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const [folder, ...more] = positionals;
    if (more.length > 0 || (folder !== undefined && !values.keep)) throw new Error(`Unexpected: ${more[0] ?? folder}`);
    return { keep: values.keep === true, folder, ai: values.ai === true, verbose: values.verbose === true };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(EXIT_USAGE);
  }
}

function pick(names: RegExp): Env {
  const entries = Object.entries(process.env).filter(([name, value]) => names.test(name) && value);
  return Object.fromEntries(entries) as Env;
}
