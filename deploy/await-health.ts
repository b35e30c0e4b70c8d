/**
 * `bun deploy/await-health.ts SECONDS`: waits until the api answers and the bot has polled Telegram after this was started,
 * with every loop in time; exit 1 with what is missing when that takes longer.
 */
import { configOrExit } from "../shared/config.ts";
import { describe } from "../shared/errors.ts";
import { command } from "./command.ts";

const EVERY_MS = 500;
const since = Date.now();
const limitMs = Number(process.argv[2] ?? 60) * 1000;
const { HOST, PORT } = configOrExit();
const url = `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}/health`;

type Health = { status: string; version: string; bot: { last_poll_at: string | null } };

async function missing(): Promise<string | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const health = (await response.json()) as Health;
    if (!health.bot?.last_poll_at || Date.parse(health.bot.last_poll_at) < since)
      return "the bot has not polled Telegram yet";
    return health.status === "ok" ? null : "a loop of the bot is late or failing";
  } catch (error) {
    return `the api does not answer at ${url} (${describe(error)})`;
  }
}

await command(async () => {
  for (;;) {
    const what = await missing();
    if (!what) break;
    if (Date.now() - since > limitMs) {
      console.error(`not healthy after ${limitMs / 1000} s: ${what}`);
      return false;
    }
    await Bun.sleep(EVERY_MS);
  }
  console.log(`healthy after ${Math.round((Date.now() - since) / 1000)} s`);
});
