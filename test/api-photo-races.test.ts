/** Photos that come twice, at once, too early, too late, or to a disk that refuses them. */
import { afterAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { claimJob, type Job } from "../shared/jobs.ts";
import { refuseSelfie } from "../shared/outcomes.ts";
import { openCamera } from "./camera.ts";
import { ttl } from "./fresh.ts";

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

/** The vision check refuses the visit's photo. */
function sendBack(token: string) {
  let job: Job;
  do job = claimJob(db, "1-worker/1", Date.now()) as Job;
  while (job.session_token !== token);
  refuseSelfie(db, job, "no_face", ttl, Date.now());
}

test("the same picture is a new try once it was sent back, and none when the visit is over", async () => {
  const token = atCamera();
  await world.sendPhoto(token, selfie);
  sendBack(token);
  const again = await Promise.all([world.sendPhoto(token, selfie), world.sendPhoto(token, selfie)]);
  expect(again.map(({ status }) => status)).toEqual([202, 202]);
  expect(again[1]?.body).toEqual(again[0]?.body);
  expect(await world.session(token)).toMatchObject({ status: "photo_taken", problem: null });
  expect(jobsOf(token).map(({ status }) => status)).toEqual(["cancelled", "queued"]);
  expect(filesOf(token)).toHaveLength(1);
  sendBack(token);
  await world.post(`/session/${token}/expire`);
  const late = await world.sendPhoto(token, selfie);
  expect([late.status, late.body.error]).toEqual([409, "wrong_status"]);
});

test("an upload that is still on its way when its retry was taken and sent back: no second job of the same photo", async () => {
  const token = atCamera();
  const form = new FormData();
  form.append("photo", new Blob([selfie], { type: "image/jpeg" }), "selfie.jpg");
  const upload = new Response(form);
  const type = upload.headers.get("content-type") ?? "";
  const bytes = new Uint8Array(await upload.arrayBuffer());
  const goOn = Promise.withResolvers<void>();
  const slow = world.call(`/session/${token}/photo`, {
    method: "POST",
    headers: { "content-type": type },
    body: new ReadableStream({
      async start(body) {
        body.enqueue(bytes.subarray(0, 1000));
        await goOn.promise;
        body.enqueue(bytes.subarray(1000));
        body.close();
      },
    }),
  });
  const first = await world.sendPhoto(token, selfie);
  sendBack(token);
  await rm(join(world.dataDir, "sessions", token), { recursive: true });
  goOn.resolve();
  expect(await slow).toMatchObject({ status: 202, body: first.body });
  expect(jobsOf(token).map(({ status }) => status)).toEqual(["cancelled"]);
  expect(filesOf(token)).toEqual([]);
  expect(await world.session(token)).toMatchObject({ status: "template_chosen", problem: "no_face" });
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
