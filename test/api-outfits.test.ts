/** Outfits and the day's limit over HTTP. One real api, without a bot. */
import type { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { openDb } from "../shared/db.ts";
import { visitAtCamera, visitInQueue } from "./fresh.ts";
import { World } from "./world.ts";

const world = await World.open({ bot: false, env: { PACK_LIMIT: "2" } });
const db: Database = openDb(world.dataDir);
const get = (path: string, headers: Record<string, string> = {}) => world.call(path, { headers });
const _setting = (name: string, value: unknown) =>
  db.query("INSERT OR REPLACE INTO settings VALUES (?, ?, 0)").run(name, JSON.stringify(value));

afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

test("outfits: in order, in the language asked for, disabled ones neither shown nor taken", async () => {
  const names = { ru: "Космонавт", uz: "Kosmonavt", en: "Astronaut" };
  for (const [lang, title] of Object.entries(names)) {
    const { status, body } = await get(`/templates?lang=${lang}`);
    expect(status).toBe(200);
    expect(body[0]).toEqual({ id: "astronaut", title, image_url: "/outfits/astronaut.svg" });
    expect(body).toHaveLength(8);
  }
  for (const query of ["", "?lang=", "?lang=xx", "?lang=ru&lang=en", "?lang[]=ru", "?lang=%00"])
    expect([query, (await get(`/templates${query}`)).status]).toEqual([query, 200]);
  for (const { image_url } of (await get("/templates")).body) {
    const picture = await get(image_url);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  }
  db.run("UPDATE templates SET enabled = 0 WHERE id = 'wizard'");
  expect((await get("/templates")).body.map((t: { id: string }) => t.id)).not.toContain("wizard");
  const token = visitAtCamera(db, 902, Date.now());
  const off = await world.post(`/session/${token}/template`, { template_id: "wizard" });
  expect([off.status, Object.keys(off.body.fields)]).toEqual([422, ["template_id"]]);
  for (const wrong of [
    {},
    { template_id: "" },
    { template_id: "nothing" },
    { template_id: 5 },
    { template_id: "x".repeat(65) },
  ]) {
    const answer = await world.post(`/session/${token}/template`, wrong);
    expect([answer.status, answer.body.error, Object.keys(answer.body.fields)]).toEqual([
      422,
      "invalid",
      ["template_id"],
    ]);
  }
  const chosen = await world.post(`/session/${token}/template`, { template_id: "royal" });
  expect([chosen.status, chosen.body.template_id, chosen.body.status]).toEqual([200, "royal", "template_chosen"]);
});

test("an outfit before the consent: 409", async () => {
  const answer = await world.post(`/session/${await world.start()}/template`, { template_id: "chef" });
  expect([answer.status, answer.body.error]).toEqual([409, "wrong_status"]);
});

test("a guest who has had today's packs is blocked, told once, and an operator's cancelled or failed pack does not count", async () => {
  const guest = 903;
  world.sim.guestSays(guest, "hello");
  const made = [1, 2, 3, 4].map((i) => visitInQueue(db, guest, Date.now() + i));
  db.query("UPDATE jobs SET status = 'failed' WHERE id = ?").run(made[0]?.jobId ?? 0);
  db.query("UPDATE jobs SET status = 'cancelled' WHERE id = ?").run(made[1]?.jobId ?? 0);
  db.query("UPDATE jobs SET created_at = ? WHERE id = ?").run(Date.now() - 25 * 3_600_000, made[2]?.jobId ?? 0);
  const may = visitAtCamera(db, guest, Date.now());
  expect((await world.post(`/session/${may}/template`, { template_id: "chef" })).status).toBe(200);
  visitInQueue(db, guest, Date.now() + 9);
  const token = visitAtCamera(db, guest, Date.now());
  const answer = await world.post(`/session/${token}/template`, { template_id: "chef" });
  expect([answer.status, answer.body.error]).toEqual([409, "pack_limit"]);
  expect(await world.session(token)).toMatchObject({ status: "blocked", problem: "pack_limit" });
  expect((await world.post(`/session/${token}/template`, { template_id: "chef" })).body.error).toBe("wrong_status");
  await world.sim.until(() => world.sim.sent("sendMessage", guest).length === 1, "the guest is told");
  expect(String(world.sim.sent("sendMessage", guest)[0]?.params.text)).toContain("2 sticker packs today");
});
