/**
 * The copy off site, in any S3-compatible store. It only adds and reads: what is to be removed there, and when, is the
 * store's own rule (a lifecycle), so that whoever gets hold of this machine's key cannot take the past away.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { S3Client } from "bun";
import type { Config } from "../config.ts";
import { describe } from "../errors.ts";
import { backupsDir, writeWhole } from "../files.ts";
import { BackupError } from "./file.ts";
import { backupPattern } from "./list.ts";

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
/** Holds the newest one's name: reading it needs no right to list the bucket. */
const NEWEST = "newest";

function storeOf(config: OffsiteConfig): S3Client {
  return new S3Client({
    bucket: config.BACKUP_S3_BUCKET,
    accessKeyId: config.BACKUP_S3_KEY_ID,
    secretAccessKey: config.BACKUP_S3_SECRET,
    endpoint: config.BACKUP_S3_ENDPOINT,
    region: config.BACKUP_S3_REGION,
  });
}

/** Uploads a finished backup, reads it back and compares, and notes there that it is the newest. @throws BackupError */
export async function copyOffsite(config: OffsiteConfig, path: string, name: string): Promise<void> {
  await attempt("The copy off site failed; the backup on this machine is good", async () => {
    const store = storeOf(config);
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
    const file = store.file(config.BACKUP_S3_PREFIX + name);
    await file.write(bytes, { type: "application/gzip" });
    const stored = new Uint8Array(await file.arrayBuffer());
    if (digest(stored) !== digest(bytes)) throw new Error("what came back is not what was sent");
    await store.file(config.BACKUP_S3_PREFIX + NEWEST).write(name, { type: "text/plain" });
  });
}

/** Brings the named backup, or the newest, from the store into `backups/`. @returns its path @throws BackupError */
export async function fetchOffsite(config: OffsiteConfig, dataDir: string, wanted?: string): Promise<string> {
  return attempt("The backup could not be brought from off site", async () => {
    const store = storeOf(config);
    const name = wanted ?? (await store.file(config.BACKUP_S3_PREFIX + NEWEST).text()).trim();
    if (!backupPattern.test(name)) throw new Error(`${name} is no backup's name such as app-20260101T033000Z.db.gz`);
    const bytes = await store.file(config.BACKUP_S3_PREFIX + name).arrayBuffer();
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
