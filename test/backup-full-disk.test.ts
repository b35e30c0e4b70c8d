/** A disk that is full: an honest answer, nothing half, the old backups untouched. */
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../api/app.ts";
import { readConfig } from "../shared/config.ts";
import { migrate, openDb, schemaVersion } from "../shared/db.ts";
import { backupsDir, prepareFolders, sessionDir } from "../shared/files.ts";
import { migrations } from "../shared/migrations/index.ts";
import { createSession } from "../shared/sessions.ts";
import { addHistory, backupFiles, historyOf, ROOT, run } from "./deploy/booth.ts";
import { canMount, smallDisk } from "./deploy/small-disk.ts";

/** Fills a disk up to the last `leave` kilobytes. @returns the file to remove again */
function fill(folder: string, leaveKb: number): string {
  const path = join(folder, "filler");
  const file = openSync(path, "w");
  const { bavail, bsize } = statfsSync(folder);
  const chunk = Buffer.alloc(4096);
  for (let left = bavail * bsize - leaveKb * 1024; left > 0; left -= chunk.length) writeSync(file, chunk);
  closeSync(file);
  return path;
}

describe.if(canMount)("on a full disk", () => {
  test("a backup fails in plain words, leaves nothing half, and the older ones as they were", async () => {
    using disk = smallDisk(6000);
    const dataDir = disk?.path as string;
    prepareFolders(dataDir);
    openDb(dataDir).close(false);
    addHistory(dataDir, "visit", 3000);
    const env = { DATA_DIR: dataDir };
    expect((await run("backup.ts", [], env)).code).toBe(0);
    const [name = ""] = backupFiles(dataDir);
    const before = readFileSync(join(backupsDir(dataDir), name));
    const copyKb = statSync(join(dataDir, "app.db")).size / 1024;
    const packedKb = before.length / 1024;
    // From no room at all, through room for half the copy, to room for the copy and half of the packed file.
    for (const leaveKb of [0, copyKb / 2, copyKb - 40, copyKb + packedKb / 2].map(Math.floor)) {
      const filler = fill(dataDir, leaveKb);
      const { code, err } = await run("backup.ts", [], env);
      expect([leaveKb, code, err]).toEqual([leaveKb, 1, expect.stringContaining("The disk is full: make room")]);
      expect(backupFiles(dataDir)).toEqual([name]);
      expect(readFileSync(join(backupsDir(dataDir), name)).equals(before)).toBe(true);
      const restored = await run("restore.ts", [name], env);
      if (restored.code !== 0) expect(restored.err).toContain("The disk is full");
      expect(historyOf(join(dataDir, "app.db"))).toHaveLength(3000);
      rmSync(filler);
      for (const old of readdirReplaced(dataDir)) rmSync(join(dataDir, old));
    }
    expect((await run("backup.ts", [], env)).code).toBe(0);
  });

  test("a migration is rolled back whole, and succeeds once there is room", () => {
    using disk = smallDisk(3000);
    const dataDir = disk?.path as string;
    const db = openDb(dataDir);
    const version = schemaVersion(db);
    const filler = fill(dataDir, 150);
    const big = {
      version: version + 1,
      name: "big",
      sql: "CREATE TABLE big (x BLOB); INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT zeroblob(100000) FROM n",
    };
    expect(() => migrate(db, [...migrations, big])).toThrow("failed and was rolled back");
    expect(schemaVersion(db)).toBe(version);
    expect(db.query("SELECT name FROM sqlite_schema WHERE name = 'big'").get()).toBeNull();
    rmSync(filler);
    migrate(db, [...migrations, big]);
    expect(schemaVersion(db)).toBe(version + 1);
    db.close(false);
  });

  test("a photo is refused with an honest answer, no half file, and the guest may try again", async () => {
    using disk = smallDisk(3000);
    const dataDir = disk?.path as string;
    prepareFolders(dataDir);
    const db = openDb(dataDir);
    const config = readConfig({ BOT_TOKEN: `123456:${"x".repeat(35)}`, ADMIN_CHAT_ID: "1", DATA_DIR: dataDir });
    const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
    const app = createApp({
      db,
      config: { ...config, BOT_USERNAME: "sim_booth_bot" },
      log: silent,
      telegram: { tell() {} },
      now: Date.now,
      version: "test",
    });
    const { token } = createSession(db, { kiosk: null, lang: "en", ttl: config, now: Date.now() });
    db.query("UPDATE sessions SET status = 'template_chosen', template_id = 'chef' WHERE token = ?").run(token);
    const send = () => {
      const form = new FormData();
      form.set("photo", new File([readFileSync(join(ROOT, "test/fixtures/selfie.jpg"))], "selfie.jpg"));
      return app.handle(new Request(`http://localhost/session/${token}/photo`, { method: "POST", body: form }));
    };
    const filler = fill(dataDir, 40);
    const refused = await send();
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: "disk_full", message: expect.stringContaining("disk is full") },
    ]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(filesIn(sessionDir(dataDir, token))).toEqual([]);
    const session = db.query("SELECT status, photo_sha256 FROM sessions WHERE token = ?").get(token);
    expect(session).toEqual({ status: "template_chosen", photo_sha256: null });
    rmSync(filler);
    expect((await send()).status).toBe(202);
    expect(filesIn(sessionDir(dataDir, token))).toHaveLength(1);
    db.close(false);
  });
});

const filesIn = (folder: string) => [...new Bun.Glob("*").scanSync({ cwd: folder, dot: true })];
const readdirReplaced = (dataDir: string) => filesIn(dataDir).filter((name) => name.startsWith("app.db.replaced-"));
