/** What a tablet would see at PUBLIC_URL: through DNS, Caddy and TLS to the api, and by its health to the bot. */
import type { Config } from "../../shared/config.ts";
import { describe } from "../../shared/errors.ts";
import { about, type Finding } from "./finding.ts";
import { isLoopback } from "./settings.ts";

const TIMEOUT_MS = 10_000;
const { ok, warn, fail } = about("public");

type Health = {
  status: string;
  db: string;
  bot?: { last_poll_at: string | null };
  maintenance?: boolean;
  version: string;
};

export async function checkPublic({ PUBLIC_URL }: Pick<Config, "PUBLIC_URL">): Promise<Finding[]> {
  let response: Response;
  try {
    response = await fetch(`${PUBLIC_URL}/health`, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    // Before the first start on a machine of one's own nothing can answer yet.
    if (isLoopback(PUBLIC_URL))
      return [warn(`nothing answers at ${PUBLIC_URL} yet`, "start it: bun run api, bun run bot")];
    return [
      fail(
        `nothing answers at ${PUBLIC_URL} (${describe(error)})`,
        "check DNS, `systemctl status caddy sticker-api`, and ufw",
      ),
    ];
  }
  const health = (await response.json().catch(() => null)) as Health | null;
  if (typeof health?.version !== "string")
    return [
      fail(
        `${PUBLIC_URL} answers ${response.status}, but not as the booth`,
        "`systemctl status sticker-api`, and PUBLIC_URL",
      ),
    ];
  return [
    ok(`${PUBLIC_URL} answers, version ${health.version}`),
    ...(PUBLIC_URL.startsWith("https:") && !response.headers.has("strict-transport-security")
      ? [warn("Caddy does not send our security headers", "run deploy/caddy.sh")]
      : []),
    botOf(health),
    ...(health.maintenance ? [warn("the booth is paused", "send /resume in the operators' chat")] : []),
  ];
}

function botOf(health: Health): Finding {
  const bot = about("bot");
  if (health.status === "ok") return bot.ok("polls Telegram, and all its loops are in time");
  if (health.db !== "ok") return bot.fail("the api cannot read the database", "`journalctl -u sticker-api -n 50`");
  const text = health.bot?.last_poll_at
    ? `is not well: last poll at ${health.bot.last_poll_at}, or a loop is late`
    : "has never polled Telegram";
  return bot.fail(text, "`systemctl status sticker-bot` and `journalctl -u sticker-bot -n 50`");
}
