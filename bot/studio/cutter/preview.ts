/** A contact sheet: every sticker on light, dark and checkered ground, so that a person can judge at a glance. */
import sharp from "sharp";

const TILE_PX = 240;
const PAD_PX = 12;

/** @returns a PNG */
export async function contactSheet(stickers: { bytes: Uint8Array }[]): Promise<Uint8Array> {
  const columns = Math.max(1, Math.ceil(Math.sqrt(stickers.length)));
  const rows = Math.max(1, Math.ceil(stickers.length / columns));
  const cell = TILE_PX + PAD_PX;
  const [width, height] = [columns * cell + PAD_PX, rows * cell + PAD_PX];
  const small = await Promise.all(
    stickers.map(({ bytes }) =>
      sharp(bytes)
        .resize(TILE_PX, TILE_PX, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
        .png()
        .toBuffer(),
    ),
  );
  const squares = `<pattern id="c" width="24" height="24" patternUnits="userSpaceOnUse"><rect width="24" height="24" fill="#fff"/><path d="M0 0h12v12H0zM12 12h12v12H12z" fill="#c9c9c9"/></pattern>`;
  const grounds = [
    `<rect width="${width}" height="${height}" fill="#f2efe9"/>`,
    `<rect x="${width}" width="${width}" height="${height}" fill="#1d2733"/>`,
    `<rect x="${2 * width}" width="${width}" height="${height}" fill="url(#c)"/>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${3 * width}" height="${height}">${squares}${grounds.join("")}</svg>`;
  const layers = grounds.flatMap((_, ground) =>
    small.map((input, i) => ({
      input,
      left: ground * width + PAD_PX + (i % columns) * cell,
      top: PAD_PX + Math.floor(i / columns) * cell,
    })),
  );
  return sharp(Buffer.from(svg)).composite(layers).png().toBuffer();
}
