/** Pictures that operators upload for outfits and the kiosks' look: judged like a guest's photo, made small, kept in the database. */
import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { AppError } from "./errors.ts";
import { gate } from "./gate.ts";
import { openPhoto } from "./photos.ts";
import { Refusal, type Say } from "./refusal.ts";
import type { PictureFault } from "./texts/operators/types.ts";

export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** Where they are served; a name never changes what it shows. */
export const PICTURE_PATH = "/outfit-pictures/";
export const pictureName = /^[0-9a-f]{32}\.webp$/;
/** A tablet's largest card or logo at twice the density. */
const SIDE = 800;
/** Fills the largest tablet. */
export const BACKGROUND_SIDE = 2048;
/** A logo may be a narrow line of letters. */
const MIN_SIDE = 32;
/** One that no card shows any more is kept this long: a page that is open may still ask for it. */
const KEPT_MS = 86_400_000;
const decoding = gate(1);

export type Picture = { name: string; bytes: Uint8Array };

const blameFor = (field: string) => (say: Say, cause?: unknown) =>
  new Refusal("invalid", (t) => t.pictureUnusable, { cause, sayFields: { [field]: say } });
/** A photo's own fault, told of a field. */
export const faultOf =
  ({ code, message }: AppError): Say =>
  (t) =>
    t.picture(code as PictureFault, message);

/**
 * The bytes of an uploaded file.
 * @param base64 with a `data:` address's head before it or not
 * @throws AppError `invalid` that blames `field`
 */
export function bytesOf(base64: string, field: string): Uint8Array<ArrayBuffer> {
  const blame = blameFor(field);
  const text = base64.replace(/^data:[\w/+.-]{0,60};base64,/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw blame((t) => t.pictureBytes);
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  if (bytes.length > MAX_PICTURE_BYTES) throw blame((t) => t.largerThan10Mb);
  return bytes;
}

/**
 * Makes a small WebP without metadata of what was uploaded. What is transparent stays so: a logo lies on any paper.
 * Drawings (SVG) are refused like all that is no photo: they can hold scripts and links.
 * @param base64 the file's bytes, a `data:` address's head before them or not
 * @param maxSide px; a larger picture is made smaller
 * @throws AppError `invalid` that blames `field`
 */
export async function readPicture(base64: string, field: string, maxSide = SIDE): Promise<Picture> {
  const given = bytesOf(base64, field);
  try {
    const webp = await decoding(() =>
      openPhoto(given, { minSide: MIN_SIDE, maxSide }, (upright) => upright.webp({ quality: 86 }).toBuffer()),
    );
    const bytes = new Uint8Array(webp);
    return { name: `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.webp`, bytes };
  } catch (error) {
    if (error instanceof AppError) throw blameFor(field)(faultOf(error), error);
    throw error;
  }
}

/** Call it in the transaction of the row that shows it. @returns the picture's address */
export function storePicture(db: Database, { name, bytes }: Picture, now: number): string {
  db.query(
    "INSERT INTO pictures (name, type, bytes, created_at) VALUES (?, 'image/webp', ?, ?) ON CONFLICT DO NOTHING",
  ).run(name, bytes, now);
  return PICTURE_PATH + name;
}

export const pictureNamed = (db: Database, name: string) =>
  db.query("SELECT type, bytes FROM pictures WHERE name = ?").get(name) as { type: string; bytes: Uint8Array } | null;

/** Forgets pictures that nothing shows; `shown` are addresses in use beside those of outfits. */
export function sweepPictures(db: Database, shown: readonly string[], now: number) {
  db.query(
    `DELETE FROM pictures WHERE created_at < ?1 AND ?2 || name NOT IN (SELECT image FROM templates)
       AND ?2 || name NOT IN (SELECT value FROM json_each(?3))`,
  ).run(now - KEPT_MS, PICTURE_PATH, JSON.stringify(shown));
}
