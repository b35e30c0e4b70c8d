/** What Telegram and the eye ask of finished stickers: validity, and an outline that is as wide everywhere. */
import sharp from "sharp";
import type { Cut, CutSticker } from "../../../bot/studio/cutter/cutter.ts";
import { OUTLINE_PX, RIM_PX } from "../../../bot/studio/cutter/encode.ts";
import { squaredDistances } from "../../../bot/studio/cutter/outline.ts";
import type { Truth } from "./truth.ts";

export async function isValid({ bytes }: CutSticker): Promise<boolean> {
  const { data, info } = await sharp(bytes, { failOn: "warning" }).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  const sides = Math.max(info.width, info.height) === 512 && Math.min(info.width, info.height) > 0;
  return sides && bytes.length <= 512 * 1024 && (format === "png" || format === "webp") && data.length > 0;
}

/** Mean distance of the outline's edge from where the truth puts it, in sticker pixels. */
export async function outlineDeviation(truth: Truth, cut: Cut): Promise<number> {
  let [sum, count] = [0, 0];
  for (const sticker of cut.stickers) {
    const number = truth.cells.indexOf(sticker.cell) + 1;
    if (number === 0) continue;
    const [x, y, w, h] = sticker.box;
    const alone = new Uint8Array(w * h);
    for (let row = 0; row < h; row++) {
      for (let column = 0; column < w; column++) {
        const at = (y + row) * truth.width + x + column;
        if (truth.owner[at] === number) alone[row * w + column] = truth.rgba[at * 4 + 3]!;
      }
    }
    const { data, info } = await sharp(sticker.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const radius = truth.spec.bordered ? RIM_PX : OUTLINE_PX;
    const margin = radius + 1;
    const figure = await sharp(alone, { raw: { width: w, height: h, channels: 1 } })
      .resize(info.width - 2 * margin, info.height - 2 * margin, { fit: "fill", kernel: "lanczos3" })
      .extend({ top: margin, bottom: margin, left: margin, right: margin, background: "black" })
      .toColourspace("b-w")
      .raw()
      .toBuffer();
    const squares = squaredDistances(figure, info.width, info.height, radius + 6);
    for (let at = 0; at < squares.length; at++) {
      const cover = data[at * 4 + 3]! / 255;
      if (cover < 0.1 || cover > 0.9) continue;
      sum += Math.min(6, Math.abs(Math.sqrt(squares[at]!) - (radius + 0.5 - cover)));
      count++;
    }
  }
  return sum / Math.max(1, count);
}
