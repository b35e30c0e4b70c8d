/**
 * The file of a backup: an ordinary gzip of the database (`gunzip` opens it) whose header carries, in gzip's own comment
 * field, what must be true of the rest. One file, so nothing can be half there; gzip's header checksum covers the comment,
 * SHA-256 both the packed bytes (a flipped bit in a run of zeros may unpack to the same) and the unpacked ones.
 * Format: RFC 1952, flags FCOMMENT and FHCRC.
 */
import { createHash } from "node:crypto";
import { closeSync, createReadStream, createWriteStream, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw, createGunzip } from "node:zlib";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** A backup that cannot be made, read, believed or brought back; the message is for people. */
export class BackupError extends Error {
  override name = "BackupError";
}

const manifestSchema = Type.Object({
  format: Type.Literal("sticker-booth-backup/1"),
  /** The file's own name: a backup under another backup's name is refused. */
  name: Type.String({ maxLength: 100 }),
  made_at: Type.String({ maxLength: 30 }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  /** Of everything after the header. */
  packed_sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  schema_version: Type.Integer({ minimum: 0 }),
  schema_sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
});
/** What a backup says of itself; `bytes`, `sha256` and `rows` (by table) are of the unpacked database. */
export type Manifest = Static<typeof manifestSchema>;

const FIXED_HEADER = [0x1f, 0x8b, 8, 0x12, 0, 0, 0, 0, 0, 0xff];
const MAX_HEADER_BYTES = 64 * 1024;
const PRIVATE_FILE = 0o600;

/** SHA-256 and size of a file. Never of `app.db` itself: closing a foreign descriptor drops SQLite's locks. */
export async function measure(path: string): Promise<Pick<Manifest, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const part of createReadStream(path)) {
    hash.update(part as Buffer);
    bytes += (part as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** Packs `from` into the new file `to` and waits until it is on the disk. @returns the finished manifest */
export async function packFile(from: string, to: string, facts: Omit<Manifest, "packed_sha256">): Promise<Manifest> {
  const hash = createHash("sha256");
  let sum = 0;
  let length = 0;
  const counted = passing((part) => {
    sum = crc32(part, sum);
    length += part.length;
  });
  const hashed = passing((part) => hash.update(part));
  const ended = new Transform({
    transform: (part: Buffer, _encoding, done) => done(null, part),
    flush(done) {
      const end = Buffer.alloc(8);
      end.writeUInt32LE(sum);
      end.writeUInt32LE(length % 2 ** 32, 4);
      done(null, end);
    },
  });
  // The header's length is known before its last value is: its place is left free and filled at the end.
  const start = headerOf({ ...facts, packed_sha256: "0".repeat(64) }).length;
  const out = createWriteStream(to, { flags: "wx", mode: PRIVATE_FILE, start });
  await pipeline(createReadStream(from), counted, createDeflateRaw(), ended, hashed, out);
  const manifest = { ...facts, packed_sha256: hash.digest("hex") };
  const file = openSync(to, "r+");
  try {
    writeSync(file, headerOf(manifest), 0, start, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return manifest;
}

function headerOf(manifest: Manifest): Buffer {
  const start = Buffer.concat([Buffer.from(FIXED_HEADER), Buffer.from(`${JSON.stringify(manifest)}\0`, "latin1")]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(start) & 0xffff);
  if (start.length + sum.length > MAX_HEADER_BYTES)
    throw new BackupError("The backup's description is too long for its file.");
  return Buffer.concat([start, sum]);
}

/** Lets everything pass and looks at it. */
const passing = (look: (part: Buffer) => void) =>
  new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        look(part);
        done(null, part);
      } catch (error) {
        done(error as Error);
      }
    },
  });

/** What a backup says of itself, its header's checksum proven. @throws BackupError */
export function readManifest(path: string): Manifest {
  const head = Buffer.alloc(MAX_HEADER_BYTES);
  const file = openSync(path, "r");
  let length: number;
  try {
    length = readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  const isOurs = FIXED_HEADER.every((byte, i) => head[i] === byte);
  const end = head.subarray(0, length).indexOf(0, FIXED_HEADER.length);
  if (!isOurs || end < 0 || end + 3 > length) throw notABackup();
  const start = head.subarray(0, end + 1);
  if (head.readUInt16LE(end + 1) !== (crc32(start) & 0xffff)) throw notABackup();
  try {
    return Value.Decode(manifestSchema, JSON.parse(start.toString("latin1", FIXED_HEADER.length, end)));
  } catch {
    throw notABackup();
  }
}

const notABackup = () =>
  new BackupError("This is not a backup of the booth, or its beginning is damaged: use another one.");

/** Unpacks a backup into the new file `to`. @throws BackupError when it is truncated, damaged or not what it says it is */
export async function unpackFile(path: string, to: string): Promise<Manifest> {
  const manifest = readManifest(path);
  const packed = createHash("sha256");
  const unpacked = createHash("sha256");
  let skip = headerOf(manifest).length;
  let bytes = 0;
  const hashed = passing((part) => {
    packed.update(part.subarray(Math.min(skip, part.length)));
    skip = Math.max(0, skip - part.length);
  });
  const measured = passing((part) => {
    bytes += part.length;
    if (bytes > manifest.bytes) throw new BackupError("The backup holds more than it says: use another one.");
    unpacked.update(part);
  });
  const out = createWriteStream(to, { flags: "wx", mode: PRIVATE_FILE });
  try {
    await pipeline(createReadStream(path), hashed, createGunzip(), measured, out);
  } catch (cause) {
    if (cause instanceof BackupError || isDiskFault(cause)) throw cause;
    throw new BackupError("The backup is truncated or damaged: use another one.", { cause });
  }
  if (
    bytes !== manifest.bytes ||
    unpacked.digest("hex") !== manifest.sha256 ||
    packed.digest("hex") !== manifest.packed_sha256
  )
    throw new BackupError("The backup's content is not what was backed up (SHA-256 differs): use another one.");
  return manifest;
}

const isDiskFault = (error: unknown) =>
  ["ENOSPC", "EDQUOT", "EIO", "EACCES", "EEXIST", "ENOENT"].includes(String((error as { code?: string }).code));
