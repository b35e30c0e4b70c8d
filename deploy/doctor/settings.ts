/** Settings that are valid but leave something of the product switched off, or open. */
import { devDependencies } from "../../package.json";
import { type Config, readConfig } from "../../shared/config.ts";
import { AppError } from "../../shared/errors.ts";
import { about, type Finding } from "./finding.ts";

const { ok, warn, fail } = about("settings");

/** The settings, or a finding for each fault. */
export function readSettings(env: Record<string, string | undefined>): Config | Finding[] {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof AppError && error.fields)) throw error;
    return Object.entries(error.fields).map(([name, fault]) => fail(`${name} ${fault}`, "see .env.example"));
  }
}

const isLocal = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

export function checkSettings(config: Config): Finding[] {
  const found: Finding[] = [];
  const open = !isLocal(config.PUBLIC_URL);
  if (open && !config.PUBLIC_URL.startsWith("https:"))
    found.push(fail("PUBLIC_URL is not https", "browsers give no camera without it; put Caddy in front"));
  if (open && !config.KIOSK_KEY)
    found.push(
      warn("KIOSK_KEY is not set", "anybody on the internet can start visits; set one and open the kiosk with #key=…"),
    );
  if (config.LEADS_CHAT_ID === undefined)
    found.push(warn("LEADS_CHAT_ID is not set", "requests of the landing wait in the outbox until it is"));
  if (!config.LEADS_SECRET) found.push(warn("LEADS_SECRET is not set", "POST /leads answers 404 until it is"));
  if (!config.ADMIN_PASSWORD)
    found.push(warn("ADMIN_USER and ADMIN_PASSWORD are not set", "/admin answers 404 until they are"));
  if (!config.BACKUP_S3_BUCKET)
    found.push(warn("no copy of the backups leaves this machine", "set BACKUP_S3_BUCKET, _KEY_ID and _SECRET"));
  if (Bun.version !== devDependencies.bun)
    found.push(
      warn(`this is Bun ${Bun.version}, tested is ${devDependencies.bun}`, "run deploy/update.sh, which brings it"),
    );
  return [ok("all settings are valid"), ...found];
}
