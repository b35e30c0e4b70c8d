/** Pictures as operators send and see them. */
import { AppError } from "../../shared/errors.ts";
import { gate } from "../../shared/gate.ts";
import { type Photo, readPhoto } from "../../shared/photos.ts";
import { bytesOf, faultOf } from "../../shared/pictures.ts";
import { Refusal } from "../../shared/refusal.ts";

/** A 50-megapixel photo is 150 MB once decoded. */
const decoding = gate(1);

/** A photo out of base64, judged as a guest's would be. @throws AppError `invalid` that blames `field` */
export async function photoIn(base64: string, field: string): Promise<Photo> {
  const bytes = bytesOf(base64, field);
  try {
    return await decoding(() => readPhoto(bytes));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Refusal("invalid", (t) => t.photoUnusable, { cause: error, sayFields: { [field]: faultOf(error) } });
  }
}

/** What an artist drew, or what was cut of it: told by its first bytes, since a declared PNG can be a JPEG. Never kept by a browser. */
export const imageResponse = (bytes: Uint8Array) =>
  new Response(Uint8Array.from(bytes), {
    headers: { "content-type": typeOf(bytes), "cache-control": "private, no-store" },
  });

function typeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "image/jpeg";
  return bytes[0] === 0x89 ? "image/png" : "image/webp";
}
