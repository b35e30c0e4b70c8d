/**
 * The copy off site, in any S3-compatible store. It only adds and reads: what is to be removed there, and when, is the
 * store's own rule (a lifecycle), so that whoever gets hold of this machine's key cannot take the past away.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { S3Client } from "bun";
import { BackupError } from "./backup-file.ts";
import { backupPattern } from "./backups.ts";
import type { Config } from "./config.ts";
import { describe } from "./errors.ts";
import { backupsDir, writeWhole } from "./files.ts";

export const offsiteSettings = [
  "BACKUP_S3_BUCKET",
  "BACKUP_S3_KEY_ID",
  "BACKUP_S3_SECRET",
  "BACKUP_S3_ENDPOINT",
  "BACKUP_S3_REGION",
  "BACKUP_S3_PREFIX",
] as const;
export type OffsiteConfig = Pick<Config, (typeof offsiteSettings)[number]>;

export const hasOffsite = (config: OffsiteConfig) => config.BACKUP_S3_BUCKET !== undefined;

/** A store that accepts a connection and then says nothing must not hold a backup for ever. */
const TIMEOUT_MS = 10 * 60_000;
const MAX_LISTED = 1000;

function storeOf(config: OffsiteConfig): S3Client {
  return new S3Client({
    bucket: config.BACKUP_S3_BUCKET,
    accessKeyId: config.BACKUP_S3_KEY_ID,
    secretAccessKey: config.BACKUP_S3_SECRET,
    endpoint: config.BACKUP_S3_ENDPOINT,
    region: config.BACKUP_S3_REGION,
  });
}

/** Uploads a finished backup, reads it back and compares. @throws BackupError */
export async function copyOffsite(config: OffsiteConfig, path: string, name: string): Promise<void> {
  await attempt("The copy off site failed; the backup on this machine is good", async () => {
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
    const file = storeOf(config).file(config.BACKUP_S3_PREFIX + name);
    await file.write(bytes, { type: "application/gzip" });
    const stored = new Uint8Array(await file.arrayBuffer());
    if (digest(stored) !== digest(bytes)) throw new Error("what came back is not what was sent");
  });
}

/** Names of the backups in the store, newest first. @throws BackupError */
export async function listOffsite(config: OffsiteConfig): Promise<string[]> {
  return attempt("The backups off site could not be listed", async () => {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await storeOf(config).list({
        prefix: config.BACKUP_S3_PREFIX,
        maxKeys: MAX_LISTED,
        ...(after ? { startAfter: after } : {}),
      });
      const keys = (page.contents ?? []).map(({ key }) => key);
      names.push(...keys.map((key) => key.slice(config.BACKUP_S3_PREFIX.length)));
      after = page.isTruncated ? keys.at(-1) : undefined;
    } while (after);
    return names
      .filter((name) => backupPattern.test(name))
      .sort()
      .reverse();
  });
}

/** Brings a backup from the store into `backups/`. @returns its path @throws BackupError */
export async function fetchOffsite(config: OffsiteConfig, dataDir: string, wanted?: string): Promise<string> {
  const name = wanted ?? (await listOffsite(config))[0];
  if (!name) throw new BackupError("There is no backup off site: check BACKUP_S3_BUCKET and BACKUP_S3_PREFIX.");
  if (!backupPattern.test(name))
    throw new BackupError(`${name} is not a backup's name, such as app-20260101T033000Z.db.gz.`);
  return attempt(`The backup ${name} could not be brought from off site`, async () => {
    const bytes = await storeOf(config)
      .file(config.BACKUP_S3_PREFIX + name)
      .arrayBuffer();
    const path = join(backupsDir(dataDir), name);
    writeWhole(path, new Uint8Array(bytes));
    return path;
  });
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the store did not answer in 10 minutes")), TIMEOUT_MS);
  try {
    return await Promise.race([work(), late]);
  } catch (cause) {
    throw new BackupError(`${what}: ${describe(cause)}.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
