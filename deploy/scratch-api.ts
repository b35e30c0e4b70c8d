/** An api on a copy of the data, on a free port of loopback, that cannot reach Telegram: for drills and rehearsals. */
import { join } from "node:path";
import { BackupError } from "../shared/backup/file.ts";
import { DRILL_LANG, type KnownFacts } from "../shared/drill.ts";
import { redact } from "../shared/errors.ts";

const START_MS = 60_000;
const STOP_MS = 15_000;
const MAX_WORDS = 1000;
/** The discard port: nothing listens there, so nothing is ever sent to a guest. */
const NOWHERE = "http://127.0.0.1:9";
const SCRATCH_KEY = "the-drill-is-the-only-kiosk";

export type ScratchApi = { url: string; stop(): Promise<void> };

/** @throws BackupError with the process's last words when it does not start, or does not stop by itself */
export async function startScratchApi(dataDir: string, env: Record<string, string | undefined>): Promise<ScratchApi> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../api/main.ts")], {
    env: {
      ...env,
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: "0",
      KIOSK_KEY: SCRATCH_KEY,
      BOT_USERNAME: env.BOT_USERNAME || "drill_bot",
      TELEGRAM_API_ROOT: NOWHERE,
      LOG_LEVEL: "info",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const { port, last } = await firstWords(child.stdout);
  clearTimeout(timer);
  if (port === null) {
    const words = (await new Response(child.stderr).text()).trim() || last;
    throw new BackupError(`The api does not start on the copy: ${redact(words).slice(0, MAX_WORDS)}`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      const code = await child.exited;
      clearTimeout(late);
      if (code !== 0) throw new BackupError(`The api on the copy did not stop well (status ${code}).`);
    },
  };
}

/** The port in the api's log, once it listens, or null and its last line when it ends before. The rest of the log is read away. */
async function firstWords(stdout: ReadableStream<Uint8Array>): Promise<{ port: number | null; last: string }> {
  const found = Promise.withResolvers<{ port: number | null; last: string }>();
  void (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    let last = "it said nothing";
    for await (const part of stdout) {
      const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      last = lines.at(-1) ?? last;
      const line = lines.find((text) => text.includes('"listening"'));
      if (line) found.resolve({ port: Number(JSON.parse(line).port), last });
    }
    found.resolve({ port: null, last });
  })();
  return found.promise;
}

/** GET of the scratch api, as JSON. */
async function askScratchApi(api: ScratchApi, path: string): Promise<unknown> {
  const response = await fetch(api.url + path, {
    headers: { "x-kiosk-key": SCRATCH_KEY },
    signal: AbortSignal.timeout(10_000),
  });
  return response.json();
}

/** Asks what a database holds. @returns how many facts were asked @throws BackupError naming what the api answered wrongly */
export async function askKnownFacts(api: ScratchApi, facts: KnownFacts): Promise<number> {
  const health = (await askScratchApi(api, "/health")) as { db: string; queue: Record<string, number> };
  expectSame("the database", health.db, "ok");
  for (const status of ["queued", "running", "delivering"] as const)
    expectSame(`jobs ${status}`, health.queue[status], facts.jobs[status] ?? 0);
  const outfits = (await askScratchApi(api, `/templates?lang=${DRILL_LANG}`)) as KnownFacts["outfits"];
  const shown = outfits.map(({ id, title }) => ({ id, title }));
  expectSame("the outfits", shown, facts.outfits);
  if (!facts.visit) return 5;
  const { token, status, lang } = facts.visit;
  const visit = (await askScratchApi(api, `/session/${token}`)) as typeof facts.visit;
  expectSame(
    "the newest visit",
    { token: visit?.token, status: visit?.status, lang: visit?.lang },
    { token, status, lang },
  );
  return 6;
}

function expectSame(what: string, given: unknown, known: unknown) {
  if (JSON.stringify(given) === JSON.stringify(known)) return;
  throw new BackupError(`On the copy the api answers ${what} wrongly.`);
}
