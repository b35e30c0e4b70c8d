import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { AUTH, admin, openBooth, TEST_MS } from "./admin-world.ts";
import { withDb } from "./leads-world.ts";
import { fixture } from "./world.ts";

const photo = Buffer.from(fixture("selfie.jpg")).toString("base64");

test(
  "a try-out is drawn by the bot with the wording that was given, billed as one, and shown",
  async () => {
    await using world = await openBooth();
    const ordered = await admin(world, "POST tryouts", { template_id: "chef", prompt: "a paper hat", photo });
    expect([ordered.status, ordered.body.status]).toEqual([202, "waiting"]);
    const { id } = ordered.body;
    const done = await world.eventually(async () => {
      const { body } = await admin(world, `GET tryouts/${id}`);
      return body.status === "done" ? body : null;
    }, "the try-out");
    expect(done.problem).toBeNull();
    expect(done.files.length).toBe(10);
    const [order] = world.sim.calls.filter(({ target }) => target === "gemini:image");
    expect(JSON.stringify(order?.params)).toContain("The person wears a paper hat");
    for (const { url } of done.files) {
      const response = await fetch(world.url + url, { headers: { authorization: AUTH } });
      expect((await sharp(await response.arrayBuffer()).metadata()).width).toBeGreaterThanOrEqual(256);
    }
    expect(world.rows("SELECT purpose, job_id, usd > 0 AS paid FROM ai_usage")).toEqual([
      { purpose: "tryout", job_id: null, paid: 1 },
    ]);
    // Neither the photo nor anything beside it.
    for (const name of ["photo.jpg", "..%2F..%2Fapp.db", "sheet"])
      expect((await admin(world, `GET tryouts/${id}/files/${name}`)).status).toBe(404);
    // Where the time limit of guests' files finds them.
    expect(readdirSync(join(world.dataDir, "sessions"))).toEqual([expect.stringMatching(/^tryout-/)]);
  },
  TEST_MS,
);

test(
  "what cannot be tried is said: no photo, no outfit, too many, no money, a bot that was restarted",
  async () => {
    await using world = await openBooth({ bot: false, env: { DAILY_BUDGET_USD: "1" } });
    const order = (body: object) => admin(world, "POST tryouts", { template_id: "chef", photo, ...body });
    for (const [body, field] of [
      [{ photo: "AAAA" }, "photo"],
      [{ photo: "" }, "photo"],
      [{ template_id: "nobody" }, "template_id"],
      [{ prompt: " " }, "prompt"],
    ] as const) {
      const answer = await order(body);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, [field]]);
    }
    for (let i = 0; i < 3; i++) expect((await order({})).status).toBe(202);
    const folders = () => readdirSync(join(world.dataDir, "sessions")).sort();
    const before = folders();
    expect((await order({})).body.error).toBe("conflict");
    // The photo of the refused one is gone again.
    expect(folders()).toEqual(before);
    await admin(world, "POST budget", { usd: 0.01 });
    withDb(world, (db) => db.run("UPDATE tryouts SET status = 'drawing' WHERE id = 3"));
    await world.startBot();
    const look = async (id: number) => (await admin(world, `GET tryouts/${id}`)).body;
    await world.eventually(async () => (await look(2)).status === "failed", "the second one");
    expect(await look(1)).toMatchObject({ status: "done", problem: null });
    expect(await look(2)).toMatchObject({ problem: "today's AI budget is used up", files: [] });
    expect(await look(3)).toMatchObject({ status: "failed", problem: "the bot was restarted" });
  },
  TEST_MS,
);
