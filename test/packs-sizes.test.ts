/** Packs of other sizes than nine: the sheet, the check, the cutter and the set agree on the number. */
import { expect, test } from "bun:test";
import { World } from "./world.ts";

for (const count of [4, 16]) {
  test(`${count} stickers`, async () => {
    await using world = await World.open({ env: { STICKERS_PER_PACK: String(count) } });
    const { sim } = world;
    const token = await world.visit(7801);
    await world.sendPhoto(token, world.selfie());
    await world.reaches(token, "done");
    expect(sim.sets.map((set) => set.stickers.length)).toEqual([count]);
    expect(sim.sent("createNewStickerSet")).toHaveLength(1);
    expect(sim.messages(7801).filter((m) => m.text?.includes(`${count} stickers`))).toHaveLength(1);
    expect(sim.violations).toEqual([]);
  });
}
