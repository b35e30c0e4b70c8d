/** Small pictures for the attacks, in every format that they may come in. */
import sharp, { type Sharp } from "sharp";

/** A picture as PNG, JPEG and WebP. */
export async function encoded(picture: Sharp): Promise<Uint8Array[]> {
  const made = [picture.clone().png(), picture.clone().jpeg(), picture.clone().webp({ lossless: true })];
  return (await Promise.all(made.map((one) => one.toBuffer()))).map((bytes) => new Uint8Array(bytes));
}

/** A sheet of four stickers on green. */
export function sheets(): Promise<Uint8Array[]> {
  const face = (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="40" fill="#fff"/><circle cx="${x}" cy="${y}" r="33" fill="#fc4"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><rect width="100%" height="100%" fill="#0f0"/>${face(60, 60)}${face(180, 60)}${face(60, 180)}${face(180, 180)}</svg>`;
  return encoded(sharp(Buffer.from(svg)));
}
