/** /health tells the truth about both processes, the database under a lock, and the api's own start and stop. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { version } from "../package.json";
import { databasePath, openDb } from "../shared/db.ts";
import { visitAtCamera } from "./fresh.ts";
import { Program, World } from "./world.ts";

const world = await World.open({ bot: false, env: { BOT_USERNAME: "", WORKER_SLOTS: "3" } });
const db = openDb(world.dataDir);
const health = () => world.call("/health");

afterAll(async () => {
  db.close(false);
  await world[Symbol.asyncDispose]();
});

/** Holds the write lock from a process of its own; resolves once it is held. @returns what gives it back */
async function lock(): Promise<() => Promise<unknown>> {
  const script = `
    import { Database } from "bun:sqlite";
    const db = new Database(${JSON.stringify(databasePath(world.dataDir))});
    db.run("PRAGMA busy_timeout = 5000");
    db.run("BEGIN IMMEDIATE");
    console.log("held");
    for await (const _ of process.stdin);
    db.run("COMMIT");`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" });
  await holder.stdout.getReader().read();
  return () => {
    holder.stdin.end();
    return holder.exited;
  };
}

test("before the bot was ever there: 503, and no visit can start", async () => {
  const { status, body } = await health();
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: "degraded", db: "ok", version, last_backup_at: null });
  expect(body.bot).toMatchObject({ last_poll_at: null, loops: {} });
  expect(body.disk_free_bytes).toBeGreaterThan(0);
  const start = await world.post("/session");
  expect([start.status, start.body.error, start.headers.get("retry-after")]).toEqual([503, "not_ready", "2"]);
  expect(world.rows("SELECT * FROM sessions")).toEqual([]);
});

test("with the bot at work: 200, every loop has its sign of life, and visits start under the learned name", async () => {
  await world.startBot();
  const { body } = await world.eventually(async () => {
    const found = await health();
    return found.status === 200 && Object.keys(found.body.bot.loops).length >= 10 ? found : null;
  }, "health");
  for (const loop of [
    "worker-1",
    "worker-3",
    "notices",
    "delivery",
    "chat-photos",
    "expiry",
    "recovery",
    "files",
    "marks",
    "discarded-sets",
  ])
    expect(body.bot.loops).toHaveProperty([loop]);
  expect(body.bot.late).toEqual([]);
  expect(Math.abs(Date.now() - Date.parse(body.bot.last_poll_at))).toBeLessThan(60_000);
  expect(body.queue).toMatchObject({ queued: 0, running: 0, delivering: 0, failed: 0 });
  const text = JSON.stringify(body);
  for (const secret of [world.sim.token, "test-gemini-key", world.dataDir]) expect(text).not.toContain(secret);
  const start = await world.post("/session");
  expect([start.status, start.body.deep_link]).toEqual([
    201,
    `${world.sim.root}/${world.sim.botUsername}?start=${start.body.token}`,
  ]);
});

test("the bot dies: 503 that names what is late; it comes back: 200 within moments", async () => {
  await world.bot?.end("SIGKILL");
  // As if two minutes had passed since its last words.
  db.run("UPDATE heartbeats SET last_ok_at = last_ok_at - 120000");
  const dead = await health();
  expect(dead.status).toBe(503);
  expect(dead.body.bot.late).toContain("poll");
  expect(dead.body.bot.late).toContain("delivery");
  await world.startBot();
  await world.eventually(async () => (await health()).status === 200, "health after the return", 10_000);
});

test("one loop that fails is enough for 503, and it is the one that is named", async () => {
  db.run("UPDATE heartbeats SET failures = 2, last_error = 'no' WHERE loop = 'marks'");
  const { status, body } = await health();
  expect([status, body.bot.late]).toEqual([503, ["marks"]]);
  db.run("UPDATE heartbeats SET failures = 0 WHERE loop = 'marks'");
  expect((await health()).status).toBe(200);
});

test("with fewer slots than before, those that are gone are not missed", async () => {
  expect(await world.bot?.end()).toBe(0);
  await world.startBot({ WORKER_SLOTS: "1" });
  const { body } = await health();
  expect(Object.keys(body.bot.loops).filter((name) => name.startsWith("worker"))).toEqual(["worker-1"]);
});

test("another writer holds the database for 2 s: everything asked meanwhile is answered, nothing is lost", async () => {
  const [first, second] = [visitAtCamera(db, 1, Date.now()), visitAtCamera(db, 2, Date.now())];
  const giveBack = await lock();
  const asked = Promise.all([
    world.post("/session"),
    world.post(`/session/${first}/template`, { template_id: "royal" }),
    world.sendPhoto(second, world.selfie()),
    world.session(first),
  ]);
  // The writer's time is what this is about; nobody outside can see that the others wait for it.
  await Bun.sleep(2_000);
  expect(await giveBack()).toBe(0);
  const answers = await asked;
  expect(answers.slice(0, 3).map((a) => a.status)).toEqual([201, 200, 202]);
  expect((await world.session(answers[0]?.body.token)).status).toBe("created");
  expect((await world.session(first)).template_id).toBe("royal");
  expect(world.rows("SELECT count(*) AS n FROM jobs")).toEqual([{ n: 1 }]);
});

test("for longer than 5 s: 503 busy with Retry-After, nothing half done, and then it goes on", async () => {
  const token = visitAtCamera(db, 3, Date.now());
  const giveBack = await lock();
  const photo = await world.sendPhoto(token, world.selfie());
  expect([photo.status, photo.body.error, photo.headers.get("retry-after")]).toEqual([503, "busy", "2"]);
  expect(await giveBack()).toBe(0);
  expect((await world.session(token)).status).toBe("template_chosen");
  expect((await world.sendPhoto(token, world.selfie())).status).toBe(202);
  await world.eventually(async () => (await health()).status === 200, "health");
  expect(world.api?.process.exitCode).toBeNull();
  expect(world.bot?.process.exitCode).toBeNull();
});

test("SIGTERM ends both within their limits and with 0, also while a browser keeps its connection open", async () => {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /templates HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((done) => socket.once("data", done));
  expect(await Promise.all([world.api?.end(), world.bot?.end()])).toEqual([0, 0]);
  socket.destroy();
});

for (const script of ["api/main.ts", "bot/main.ts"]) {
  test(`${script}: a data folder that cannot be written ends it with one clear line`, async () => {
    const file = join(world.dataDir, "a-file");
    writeFileSync(file, "");
    const program = new Program(script, { ...world.env, DATA_DIR: join(file, "data") });
    expect(await program.process.exited).toBe(1);
    expect(await program.said("cannot start")).toMatchObject({ level: "error" });
    expect(program.output).toMatch(/DATA_DIR \(.*a-file.*\) cannot be written: give this user the folder/);
  });

  test(`${script}: a database of a newer release ends it with words that say what to do`, async () => {
    const folder = join(world.dataDir, `newer-${script.slice(0, 3)}`);
    mkdirSync(folder);
    const newer = new Database(databasePath(folder));
    newer.run("PRAGMA user_version = 999");
    newer.close();
    const program = new Program(script, { ...world.env, DATA_DIR: folder });
    expect(await program.process.exited).toBe(1);
    expect(program.output).toContain("start the newer release");
  });
}

test("a port that is taken ends the second api, the first one goes on", async () => {
  await world.startApi();
  const second = new Program("api/main.ts", { ...world.env, PORT: new URL(world.url).port });
  expect(await second.process.exited).toBe(1);
  expect(second.output).toContain("is taken by another program");
  expect((await world.call("/templates")).status).toBe(200);
});

test("a kiosk's key: asked of every call of a visit, of nothing else, and no spelling of the path gets round it", async () => {
  await world.startApi({ KIOSK_KEY: "open sesame", BOT_USERNAME: "sim_booth_bot" });
  const key = { "x-kiosk-key": "open sesame" };
  const { status, body } = await world.post("/session", {}, key);
  expect(status).toBe(201);
  for (const path of [`/session/${body.token}`, `/session/${body.token}/qr.svg`, `/session/${body.token}/`]) {
    expect([path, (await world.call(path)).status]).toEqual([path, 401]);
    expect([path, (await world.call(path, { headers: { "x-kiosk-key": "open sesam" } })).status]).toEqual([path, 401]);
    expect([path, (await world.call(path, { headers: key })).status]).toEqual([path, 200]);
  }
  for (const path of ["/session", "/session/", "//session", "/%73ession", "/SESSION", "/session?x", "/session/%2e"]) {
    const answer = await world.post(path);
    expect([path, answer.status === 401 || answer.status === 404]).toEqual([path, true]);
  }
  expect((await world.post("/session")).body.error).toBe("kiosk_key");
  expect((await world.sendPhoto(body.token, world.selfie())).status).toBe(401);
  for (const path of ["/", "/templates", "/outfits/chef.svg"]) expect((await world.call(path)).status).toBe(200);
});
