/** What any cutter has to do at the very least: decode the sheet, then resize and encode nine crops, with nothing else. */
import sharp from "sharp";

export async function bareFloor(sheet: Uint8Array): Promise<void> {
  const { data, info } = await sharp(sheet).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [w, h] = [Math.floor(info.width / 3), Math.floor(info.height / 3)];
  for (let i = 0; i < 9; i++) {
    await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
      .extract({ left: (i % 3) * w, top: Math.floor(i / 3) * h, width: w, height: h })
      .resize(512, 512, { fit: "inside" })
      .png()
      .toBuffer();
  }
}
