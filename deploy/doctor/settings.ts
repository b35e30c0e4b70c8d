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

/** Where a browser gives the camera without https: https://www.w3.org/TR/secure-contexts/#is-origin-trustworthy */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Does this origin lead to the machine itself? */
export const isLoopback = (origin: string) => LOOPBACK.test(new URL(origin).hostname);
/** Addresses and names that nobody reaches from the internet: RFC 1918, 3927, 4193, 4291, 6598, 6762, 8375. */
const PRIVATE =
  /^(?:(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d+){2,3}|\[f(?:[cd]|e[89ab]).*\]|.+\.(?:local|internal|lan|home\.arpa)|[^.[]+)$/;

export function checkSettings(config: Config): Finding[] {
  const found: Finding[] = [];
  const { hostname, protocol } = new URL(config.PUBLIC_URL);
  if (!LOOPBACK.test(hostname) && protocol !== "https:")
    found.push(fail("PUBLIC_URL is not https", "browsers give no camera without it; put Caddy in front"));
  if (!config.KIOSK_KEY && !LOOPBACK.test(hostname) && !PRIVATE.test(hostname))
    found.push(
      warn(
        "KIOSK_KEY is not set, so anybody who finds PUBLIC_URL can start visits, have packs drawn for your money, and invent kiosks that alert you",
        "set one (`openssl rand -hex 16`), restart the api, and open each tablet once at PUBLIC_URL/#key=…",
      ),
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
