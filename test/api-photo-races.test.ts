/** Photos that come twice, at once, too early, too late, or to a disk that refuses them. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import sharp from "sharp";
import { openCamera } from "./camera.ts";

const { world, db, atCamera, selfie, filesOf, jobsOf, close } = await openCamera();
afterAll(close);

test("the same photo from two tabs at once, and again later: one job, equal answers", async () => {
  const token = atCamera();
  const answers = await Promise.all(Array.from({ length: 4 }, () => world.sendPhoto(token, selfie)));
  expect(answers.map((a) => a.status)).toEqual([202, 202, 202, 202]);
  const later = await world.sendPhoto(token, selfie);
  for (const answer of [...answers, later]) expect(answer.body).toEqual(answers[0]?.body);
  expect(later.status).toBe(202);
  expect(jobsOf(token)).toHaveLength(1);
  expect(filesOf(token)).toHaveLength(1);
  await world.sim.until(() => world.sim.calls.some((c) => c.target === "telegram:sendMessage"));
});

test("different photos from two tabs at once: one is taken, the other is told, and leaves no file", async () => {
  const token = atCamera();
  const other = new Uint8Array(await sharp(selfie).flop().jpeg().toBuffer());
  const answers = await Promise.all([world.sendPhoto(token, selfie), world.sendPhoto(token, other)]);
  expect(answers.map((a) => a.status).sort()).toEqual([202, 409]);
  expect(answers.find((a) => a.status === 409)?.body.error).toBe("wrong_status");
  expect(jobsOf(token)).toHaveLength(1);
  expect(filesOf(token)).toEqual([jobsOf(token)[0].selfie]);
});

test("a photo before the outfit, after the end, or too late: 409 each, and nothing is stored", async () => {
  const fresh = await world.start();
  const ended = atCamera();
  await world.post(`/session/${ended}/expire`);
  const late = atCamera();
  db.query("UPDATE sessions SET expires_at = ? WHERE token = ?").run(Date.now() - 1, late);
  for (const token of [fresh, ended, late]) {
    const answer = await world.sendPhoto(token, selfie);
    expect([answer.status, answer.body.error]).toEqual([409, "wrong_status"]);
    expect(filesOf(token)).toEqual([]);
    expect(jobsOf(token)).toEqual([]);
  }
  expect(await world.session(late)).toMatchObject({ status: "expired", problem: "timeout" });
});

test("a folder that cannot be written: the guest is asked to try again, and can once it is mended", async () => {
  const token = atCamera();
  const folder = join(world.dataDir, "sessions", token);
  await Bun.write(folder, "a file where the folder should be");
  const answer = await world.sendPhoto(token, selfie);
  expect([answer.status, answer.body.error]).toEqual([503, "storage"]);
  expect(answer.headers.get("retry-after")).not.toBeNull();
  expect(JSON.stringify(answer.body)).not.toContain(world.dataDir);
  await Bun.file(folder).delete();
  expect((await world.sendPhoto(token, selfie)).status).toBe(202);
});

test("what the log says of it names no visit in full", () => {
  const { output } = world.api ?? { output: "" };
  expect(output).toContain('"code":"storage"');
  const tokens = world.rows("SELECT token FROM sessions").map((r) => r.token);
  expect(tokens.filter((token) => output.includes(token))).toEqual([]);
});
