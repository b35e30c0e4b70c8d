/** What the artists of a booth under attack draw: small sheets, so that a run is short. */
import sharp from "sharp";
import type { Sim } from "../sim/sim.ts";

/** Faces of a booth's sheets and of a sheet's four stickers, no two alike. */
const FACES = 36;
let sheets: Promise<Buffer>[] | undefined;

/** Small sheets, quickly cut, each of its own: so it can be told which job a later call, or a sticker, is about. */
export async function drawSmall(sim: Sim) {
  sheets ??= Array.from({ length: FACES }, (_, nth) => drawSheet(nth));
  const pngs = await Promise.all(sheets);
  let drawn = 0;
  const next = () => marked(pngs[drawn % FACES] as Buffer, `sheet ${++drawn}`);
  Object.defineProperty(sim.models, "picture", { get: next });
}

function drawSheet(nth: number): Promise<Buffer> {
  const face = (x: number, y: number, place: number) => {
    const skin = `hsl(${20 + nth}, 90%, ${50 + 8 * place}%)`;
    const eye = 4 + (nth % 4);
    return `<circle cx="${x}" cy="${y}" r="44" fill="#fff"/><circle cx="${x}" cy="${y}" r="36" fill="${skin}"/>
     <circle cx="${x - 12}" cy="${y - 8}" r="${eye}" fill="#333"/><circle cx="${x + 12}" cy="${y - 8}" r="${eye}" fill="#333"/>`;
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="100%" height="100%" fill="#00ff00"/>
    ${face(64, 64, 0)}${face(192, 64, 1)}${face(64, 192, 2)}${face(192, 192, 3)}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const IEND_BYTES = 12;

/** A PNG with a comment in it. */
function marked(png: Buffer, comment: string): Uint8Array {
  const data = Buffer.from(`tEXtComment\0${comment}`, "latin1");
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(Bun.hash.crc32(data), data.length + 4);
  return new Uint8Array(Buffer.concat([png.subarray(0, -IEND_BYTES), chunk, png.subarray(-IEND_BYTES)]));
}
