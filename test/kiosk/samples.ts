// Draws the sample stickers of the start screen anew: one for each outfit and language, by the offline artist and the
// cutter, from the public-domain portrait of the tests. No guest's picture is ever shown there.
//   bun test/kiosk/samples.ts
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { chooseKey } from "../../bot/studio/cutter/choose-key.ts";
import { cutSheet } from "../../bot/studio/cutter/cutter.ts";
import { planSheet } from "../../bot/studio/providers/offline/sheet.ts";
import { offlineArtist } from "../../bot/studio/providers/offline.ts";
import { type Lang, langs } from "../../shared/status.ts";

/** Which mood of an outfit's sheet is shown: no two look alike beside each other. */
const MOODS = {
  astronaut: "liftoff",
  royal: "love",
  superhero: "wow",
  chef: "yummy",
  rockstar: "party",
  wizard: "hello",
  chopon: "welcome",
  detective: "cool",
};
const COUNT = 9;
const SIDE_PX = 440;
/** Around the sticker, for its shadow. */
const RIM_PX = 18;
const DROP_PX = 6;
const SHADOW = 0.28;
const INK = { r: 43, g: 26, b: 64 };
const TIMEOUT_MS = 120_000;
const FOLDER = join(import.meta.dir, "../../kiosk/samples");

const selfie = await Bun.file(join(import.meta.dir, "../fixtures/selfie.jpg")).bytes();
const key = await chooseKey(selfie, []);
const artist = offlineArtist();
let total = 0;
for (const lang of langs) {
  await mkdir(join(FOLDER, lang), { recursive: true });
  for (const [id, mood] of Object.entries(MOODS)) total += await draw(id, mood, lang);
}
console.log(`${total} bytes in all`);
process.exit(0);

async function draw(id: string, mood: string, lang: Lang): Promise<number> {
  const order = { selfie, outfit: { id, prompt: "" }, count: COUNT, key, lang, attempt: 0 };
  const sheet = await artist.drawSheet(order, AbortSignal.timeout(TIMEOUT_MS));
  if (sheet.outcome !== "ok") throw new Error(`${id}: ${sheet.reason}`);
  const { stickers } = await cutSheet(sheet.value, { count: COUNT });
  const cell = 1 + planSheet(order).findIndex((plan) => plan.mood.id === mood);
  const sticker = stickers.find((one) => one.cell === cell);
  if (!sticker) throw new Error(`${id} has no ${mood}`);
  const picture = await withShadow(sticker.bytes);
  await Bun.write(join(FOLDER, lang, `${id}.webp`), picture);
  console.log(lang, id, picture.length);
  return picture.length;
}

/** The shadow is part of the picture: a tablet that shows it for ten hours need not draw one with every frame. */
async function withShadow(sticker: Uint8Array): Promise<Buffer> {
  const inner = SIDE_PX - 2 * RIM_PX;
  const body = await sharp(sticker).trim().resize(inner, inner, { fit: "inside" }).png().toBuffer();
  const { width, height } = await sharp(body).metadata();
  const size = { width: width + 2 * RIM_PX, height: height + 2 * RIM_PX };
  const clear = { create: { ...size, channels: 4 as const, background: { ...INK, alpha: 0 } } };
  const alpha = await sharp(clear)
    .composite([{ input: body, left: RIM_PX, top: RIM_PX + DROP_PX }])
    .extractChannel(3)
    .blur(RIM_PX / 2)
    .linear(SHADOW, 0)
    .raw()
    .toBuffer();
  const shadow = await sharp({ create: { ...size, channels: 3, background: INK } })
    .joinChannel(alpha, { raw: { ...size, channels: 1 } })
    .png()
    .toBuffer();
  return sharp(shadow)
    .composite([{ input: body, left: RIM_PX, top: RIM_PX }])
    .webp({ quality: 72, alphaQuality: 85, effort: 6, smartSubsample: true })
    .toBuffer();
}
