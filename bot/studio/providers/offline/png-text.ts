/** Text chunks of PNG files (PNG specification, 11.3.3.2 tEXt). */
import { crc32 } from "node:zlib";

const signatureLength = 8;
const headerEnd = signatureLength + 25;

/** The PNG with one Latin-1 text added behind its header. */
export function withText(png: Uint8Array, keyword: string, text: string): Uint8Array {
  const body = Buffer.from(`tEXt${keyword}\0${text}`, "latin1");
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** The text of a keyword, or null: also for what is no PNG or is damaged. */
export function textOf(png: Uint8Array, keyword: string): string | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length < headerEnd || bytes.readUInt32BE(0) !== 0x89504e47) return null;
  for (let at = signatureLength; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (at + 12 + length > bytes.length || type === "IDAT") return null;
    if (type === "tEXt") {
      const [name, text] = bytes.toString("latin1", at + 8, at + 8 + length).split("\0");
      if (name === keyword) return text ?? null;
    }
    at += 12 + length;
  }
  return null;
}
