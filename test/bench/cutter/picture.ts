/** The README's comparison: `bun test/bench/cutter/picture.ts` writes docs/cutter.png. */
import { join } from "node:path";
import sharp from "sharp";
import { matteSheet } from "../../../bot/studio/cutter/cutter.ts";
import { tools } from "./baselines.ts";
import { type Corruption, corrupt } from "./corrupt.ts";
import { mainCases } from "./suite.ts";
import { makeTruth } from "./truth.ts";

const TILE_PX = 232;
const LABEL_PX = 34;
const GAP_PX = 8;
const SEED = 2;

type View = { family: string; how: Corruption; x: number; y: number; size: number };
const VIEWS: View[] = [
  { family: "bordered JPEG 92", how: { jpeg: 92 }, x: 128, y: 128, size: 116 },
  { family: "plain JPEG 92", how: { jpeg: 92 }, x: 1790, y: 150, size: 116 },
  { family: "plain JPEG 92", how: { jpeg: 92 }, x: 150, y: 1010, size: 116 },
];

async function tile(rgba: Uint8Array, side: number, view: View): Promise<Buffer> {
  const crop = await sharp(rgba, { raw: { width: side, height: side, channels: 4 } })
    .extract({ left: view.x, top: view.y, width: view.size, height: view.size })
    .png()
    .toBuffer();
  const ground = await sharp(crop).flatten({ background: "#f7f4ee" }).png().toBuffer();
  return sharp(ground).resize(TILE_PX, TILE_PX, { kernel: "nearest" }).png().toBuffer();
}

const columns = [
  "the sheet",
  "ours",
  ...tools()
    .found.map(({ name }) => name)
    .reverse(),
];
const layers: { input: Buffer; left: number; top: number }[] = [];
for (const [row, view] of VIEWS.entries()) {
  const spec = mainCases([1, SEED, 3]).find((one) => one.family === view.family && one.spec.seed === SEED)!.spec;
  const { bytes, truth } = await corrupt(await makeTruth({ ...spec, key: { r: 0, g: 255, b: 0 } }), view.how);
  const sheet = await sharp(bytes).ensureAlpha().raw().toBuffer();
  const pictures = [new Uint8Array(sheet), (await matteSheet(bytes)).rgba];
  for (const tool of tools().found.reverse()) pictures.push(await tool.matte(bytes, { r: 0, g: 255, b: 0 }));
  for (const [column, rgba] of pictures.entries()) {
    const left = GAP_PX + column * (TILE_PX + GAP_PX);
    layers.push({ input: await tile(rgba, truth.width, view), left, top: LABEL_PX + row * (TILE_PX + GAP_PX) });
  }
}
const width = GAP_PX + columns.length * (TILE_PX + GAP_PX);
const height = LABEL_PX + VIEWS.length * (TILE_PX + GAP_PX);
const labels = columns
  .map((name, i) => {
    const x = GAP_PX + i * (TILE_PX + GAP_PX) + TILE_PX / 2;
    return `<text x="${x}" y="23" font-family="sans-serif" font-size="16" font-weight="${i === 1 ? 700 : 400}" text-anchor="middle" fill="#222">${name}</text>`;
  })
  .join("");
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${labels}</svg>`;
const target = join(import.meta.dir, "../../../docs/cutter.png");
await sharp(Buffer.from(svg)).composite(layers).png({ palette: true, quality: 90 }).toFile(target);
console.log(target);
