/** An api on a copy of the data, on a free port of loopback, that cannot reach Telegram: for drills and rehearsals. */
import { BackupError } from "../shared/backup-file.ts";

const START_MS = 60_000;
const STOP_MS = 15_000;
/** The discard port: nothing listens there, so nothing is ever sent to a guest. */
const NOWHERE = "http://127.0.0.1:9";
export const SCRATCH_KEY = "the-drill-is-the-only-kiosk";

export type ScratchApi = { url: string; stop(): Promise<void> };

/** @throws BackupError with the process's last words when it does not start, or does not stop by itself */
export async function startScratchApi(dataDir: string, env: Record<string, string | undefined>): Promise<ScratchApi> {
  const child = Bun.spawn([process.execPath, new URL("../api/main.ts", import.meta.url).pathname], {
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
  const port = await portIn(child.stdout);
  clearTimeout(timer);
  if (port === null) {
    const words = (await new Response(child.stderr).text()).trim();
    throw new BackupError(`The api does not start on the copy: ${words || lastLine}`.slice(0, 1000));
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

let lastLine = "it said nothing";

/** The port in the api's log, once it listens; null when it ends before. The rest of the log is read away. */
async function portIn(stdout: ReadableStream<Uint8Array>): Promise<number | null> {
  const found = Promise.withResolvers<number | null>();
  void (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const part of stdout) {
      const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      lastLine = lines.at(-1) ?? lastLine;
      const line = lines.find((text) => text.includes('"listening"'));
      if (line) found.resolve(Number(JSON.parse(line).port));
    }
    found.resolve(null);
  })();
  return found.promise;
}

/** GET of the scratch api, as JSON. */
export async function askScratchApi(api: ScratchApi, path: string): Promise<unknown> {
  const response = await fetch(api.url + path, {
    headers: { "x-kiosk-key": SCRATCH_KEY },
    signal: AbortSignal.timeout(10_000),
  });
  return response.json();
}
