/** The whole way, from Start to the delivered pack, with the real processes. */
import { expect, test } from "bun:test";
import sharp from "sharp";
import { World } from "./world.ts";

const LONG_MS = 60_000;
const guest = 7001;

for (const lang of ["ru", "uz", "en"]) {
  test(
    `a selfie becomes a delivered pack (${lang})`,
    async () => {
      await using world = await World.open();
      const { sim } = world;
      const token = await world.visit(guest, lang);
      expect((await world.session(token)).lang).toBe(lang);

      const accepted = await world.sendPhoto(token, world.selfie());
      expect(accepted.status).toBe(202);
      expect(accepted.body.status).toBe("photo_taken");
      await world.reaches(token, "done");

      expect(sim.sets).toHaveLength(1);
      const [set] = sim.sets;
      expect(set?.ownerId).toBe(guest);
      expect(set?.stickers).toHaveLength(9);
      expect(set?.name).toMatch(/^booth_1_[a-z0-5]+_by_sim_booth_bot$/);
      for (const sticker of set?.stickers ?? []) {
        const { width, height, hasAlpha } = await sharp(sticker.bytes).metadata();
        expect(Math.max(width, height)).toBe(512);
        expect(hasAlpha).toBe(true);
      }
      expect(sim.sent("createNewStickerSet")).toHaveLength(1);
      expect(sim.pageVisits.get(set?.name ?? "")).toBeGreaterThanOrEqual(2);
      const links = sim
        .sent("sendMessage", guest)
        .filter((c) => String(c.params.text).includes(`/addstickers/${set?.name}`));
      expect(links).toHaveLength(1);
      expect(sim.sent("sendSticker", guest)).toHaveLength(1);
      expect(sim.violations).toEqual([]);

      const jobs = world.rows("SELECT status, attempt, strikes FROM jobs");
      expect(jobs).toEqual([{ status: "done", attempt: 1, strikes: 0 }]);
      const bill = world.rows("SELECT provider, purpose, outcome, usd > 0 AS paid FROM ai_usage ORDER BY id");
      expect(bill).toEqual([
        { provider: "gemini", purpose: "selfie", outcome: "ok", paid: 1 },
        { provider: "gemini", purpose: "draw", outcome: "ok", paid: 1 },
        { provider: "gemini", purpose: "sheet", outcome: "ok", paid: 1 },
      ]);
    },
    LONG_MS,
  );
}
