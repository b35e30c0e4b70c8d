import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { checkBackup, withUnpacked } from "../shared/backup/check.ts";
import { readManifest } from "../shared/backup/file.ts";
import {
  BACKUPS_KEPT,
  backupMadeAt,
  backupName,
  backupTime,
  lastBackupAt,
  listBackups,
} from "../shared/backup/list.ts";
import { takeBackup } from "../shared/backup/take.ts";
import { openDb } from "../shared/db.ts";
import { backupsDir } from "../shared/files.ts";
import { type Job, jobById } from "../shared/jobs.ts";
import { failJob, retryJob } from "../shared/outcomes.ts";
import { decidePack } from "../shared/packs.ts";
import { addHistory, backupFiles, historyOf, run, scratch, scratchBooth, startWriter } from "./deploy/booth.ts";
import { visitInQueue } from "./fresh.ts";

const NOW = Date.parse("2026-05-01T03:30:00Z");
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const env = (dataDir: string) => ({ DATA_DIR: dataDir });

/** A booth with one fresh backup. */
async function backedUp(rows = 50) {
  const booth = scratchBooth(rows);
  return Object.assign(booth, await takeBackup(booth.path, Date.now()), { dataDir: booth.path });
}

const fileIn = (dataDir: string, name: string) => join(backupsDir(dataDir), name);

describe("a backup", () => {
  test("is a plain gzip of the whole database, private, with its facts in the header", async () => {
    using booth = scratchBooth();
    const { name, manifest } = await takeBackup(booth.path, NOW);
    expect(name).toBe("app-20260501T033000Z.db.gz");
    const path = fileIn(booth.path, name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readManifest(path)).toEqual(manifest);
    expect(manifest.rows.history).toBe(50);
    const unpacked = join(booth.path, "unpacked.db");
    writeFileSync(unpacked, gunzipSync(readFileSync(path)));
    expect(historyOf(unpacked)).toHaveLength(50);
    expect(backupFiles(booth.path)).toEqual([name]);
  });

  test("of two in one second neither takes the other's name", async () => {
    using booth = scratchBooth();
    const names = (await Promise.all([1, 2, 3].map(() => takeBackup(booth.path, NOW)))).map(({ name }) => name);
    expect(names.sort()).toEqual([0, 1, 2].map((second) => backupName(NOW + second * 1000)));
    expect(backupFiles(booth.path)).toEqual(names);
  });

  test("the newest 14 stay; other files are nobody's business", async () => {
    using booth = scratchBooth();
    for (let day = 0; day < BACKUPS_KEPT + 2; day++) {
      writeFileSync(fileIn(booth.path, backupName(NOW - day * 24 * HOUR_MS)), "old");
    }
    writeFileSync(fileIn(booth.path, "notes.txt"), "mine");
    const { name, removed } = await takeBackup(booth.path, NOW + MINUTE_MS);
    expect(listBackups(booth.path)).toHaveLength(BACKUPS_KEPT);
    expect(listBackups(booth.path)[0]).toBe(name);
    expect(removed).toEqual([13, 14, 15].map((day) => backupName(NOW - day * 24 * HOUR_MS)));
    expect(backupFiles(booth.path)).toContain("notes.txt");
  });

  test("the one just made stays, though a clock that was ahead has dated fourteen others later", async () => {
    using booth = scratchBooth();
    for (let day = 1; day <= BACKUPS_KEPT; day++)
      writeFileSync(fileIn(booth.path, backupName(NOW + day * 24 * HOUR_MS)), "later");
    const { name, removed } = await takeBackup(booth.path, NOW);
    expect(listBackups(booth.path)).toContain(name);
    expect(removed).toEqual([backupName(NOW + 24 * HOUR_MS)]);
  });

  test("what a killed backup left behind goes with the next one; what a living one works on stays", async () => {
    using booth = scratchBooth();
    const dead = Bun.spawn([process.execPath, "-e", "0"]);
    await dead.exited;
    for (const [second, pid] of [
      [1, dead.pid],
      [2, process.pid],
    ] as const) {
      const folder = fileIn(booth.path, `.app-20260501T03300${second}Z.work`);
      mkdirSync(folder);
      writeFileSync(join(folder, "owner"), String(pid));
    }
    const { name } = await takeBackup(booth.path, NOW);
    expect(backupFiles(booth.path)).toEqual([".app-20260501T033002Z.work", name]);
  });

  test("while two processes write at full speed loses no committed row", async () => {
    using booth = scratchBooth(0);
    const writers = ["a", "b"].map((name) => startWriter(booth.path, name));
    await Promise.all(writers.map((writer) => writer.reaches(200)));
    const committedBefore = writers.map((writer) => writer.committed);
    const { code, err } = await run("backup.ts", [], env(booth.path));
    expect([code, err]).toEqual([0, ""]);
    const ends = await Promise.all(writers.map((writer) => writer.stop()));
    const rows = await new Promise<string[]>((tell) =>
      withUnpacked(booth.path, fileIn(booth.path, listBackups(booth.path)[0] as string), (copy) =>
        tell(historyOf(copy)),
      ),
    );
    for (const [i, name] of ["a", "b"].entries()) {
      const mine = rows.filter((row) => row.startsWith(`${name}-`));
      expect(mine.length).toBeGreaterThanOrEqual(committedBefore[i] as number);
      // One snapshot: every row up to some moment, none missing between.
      expect(mine).toEqual(mine.map((_, n) => `${name}-${n + 1}`));
      const living = historyOf(join(booth.path, "app.db")).filter((row) => row.startsWith(`${name}-`));
      expect(living).toHaveLength(ends[i]?.committed as number);
    }
    expect((await run("backup-check.ts", [], env(booth.path))).code).toBe(0);
  });

  test("makes no write wait for a lock: a writer with no patience at all is never refused", async () => {
    using booth = scratchBooth(0);
    addHistory(booth.path, "old", 20_000);
    const writer = startWriter(booth.path, "a", "alone");
    await writer.reaches(100);
    expect((await run("backup.ts", [], env(booth.path))).code).toBe(0);
    const { committed, refused } = await writer.stop();
    expect(committed).toBeGreaterThan(100);
    expect(refused).toBe(0);
  });

  test("of no database, or a damaged one, is refused and leaves the older ones", async () => {
    using empty = scratch();
    const none = await run("backup.ts", [], env(empty.path));
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("no database")]);

    const booth = await backedUp(3000);
    using _ = booth;
    const live = join(booth.dataDir, "app.db");
    const size = statSync(live).size;
    const file = openSync(live, "r+");
    for (let at = 4096 * 3; at < size; at += 4096) writeSync(file, Buffer.alloc(2000, 0x5a), 0, 2000, at);
    closeSync(file);
    const { code } = await run("backup.ts", [], env(booth.dataDir));
    expect(code).toBe(1);
    expect(backupFiles(booth.dataDir)).toEqual([booth.name]);
  });
});

describe("the check", () => {
  test("passes a fresh backup, also while the booth goes on", async () => {
    using booth = await backedUp();
    addHistory(booth.dataDir, "later", 10);
    const { code, out, err } = await run("backup-check.ts", [], env(booth.dataDir));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("0 min old");
    expect(out).toContain("history: 50");
  });

  test("fails without a backup, and for a name that is none", async () => {
    using booth = scratchBooth();
    expect((await run("backup-check.ts", [], env(booth.path))).err).toContain("There is no backup");
    const wrong = await run("backup-check.ts", ["nothing.gz"], env(booth.path));
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("There is no backup nothing.gz")]);
  });

  test("refuses every truncation and every flipped bit", async () => {
    using booth = await backedUp(1);
    const good = readFileSync(booth.path);
    const path = join(booth.dataDir, "changed.gz");
    const faultsOf = async (bytes: Uint8Array) => {
      writeFileSync(path, bytes);
      return (await checkBackup(booth.dataDir, Date.now(), path)).faults;
    };
    expect(await faultsOf(good)).toEqual([]);
    const step = Math.ceil(good.length / 150);
    for (let at = 0; at < good.length; at += at < 40 ? 1 : step) {
      const flipped = new Uint8Array(good);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      expect([at, await faultsOf(flipped)]).toEqual([at, [expect.stringMatching(/^T.*use another one/)]]);
    }
    for (const length of [0, 5, 30, 400, good.length - 9, good.length - 1])
      expect([length, await faultsOf(good.subarray(0, length))]).toEqual([
        length,
        [expect.stringMatching(/use another one/)],
      ]);
    expect(backupFiles(booth.dataDir)).toEqual([booth.name]);
  });

  test("refuses a backup under another one's name, and one of another booth", async () => {
    using booth = await backedUp();
    using other = await backedUp(7);
    const later = fileIn(booth.dataDir, backupName((backupTime(booth.name) as number) + 1000));
    copyFileSync(booth.path, later);
    expect((await checkBackup(booth.dataDir, Date.now())).faults).toEqual([
      expect.stringContaining("under another one's name"),
    ]);
    rmSync(later);
    const foreign = join(booth.dataDir, "foreign.gz");
    const db = new Database(join(other.dataDir, "app.db"));
    db.run("UPDATE history SET at = at + 5");
    db.close(false);
    const { path } = await takeBackup(other.dataDir, Date.now() + 5000);
    copyFileSync(path, foreign);
    expect((await checkBackup(booth.dataDir, Date.now(), foreign)).faults).toEqual([
      "7 entries of its history are not in the living database's.",
    ]);
  });

  test("sees that the living database has lost rows, or has another schema", async () => {
    using booth = await backedUp();
    const db = new Database(join(booth.dataDir, "app.db"));
    db.run("DELETE FROM history WHERE id > 45");
    expect((await checkBackup(booth.dataDir, Date.now())).faults).toEqual([
      "The living database has lost rows (history 45 of 50): see “The database is damaged” in docs/RUNBOOK.md.",
      "5 entries of its history are not in the living database's.",
    ]);
    db.run("CREATE INDEX extra ON history (at)");
    expect((await checkBackup(booth.dataDir, Date.now())).faults).toEqual([expect.stringContaining("schemas differ")]);
    db.run("PRAGMA user_version = 1");
    db.close(false);
    expect((await checkBackup(booth.dataDir, Date.now())).faults).toEqual([expect.stringContaining("is newer than")]);
  });

  test("another try of a failed pack replaces its row, and nothing is lost by that", async () => {
    using booth = scratchBooth();
    const db = openDb(booth.path);
    const { jobId } = visitInQueue(db, 1);
    decidePack(db, jobById(db, jobId) as Job, "a_bot", "T", 9, NOW);
    failJob(db, jobById(db, jobId) as Job, "providers_down", "worker", NOW);
    await takeBackup(booth.path, Date.now());
    expect(retryJob(db, jobId, "operator:1", NOW)).toBe(true);
    db.close(false);
    expect((await checkBackup(booth.path, Date.now())).faults).toEqual([]);
  });

  test("fails one older than 26 hours, by its name or by the file's own date, or dated in the future", async () => {
    using booth = scratchBooth();
    const { path } = await takeBackup(booth.path, NOW);
    utimesSync(path, NOW / 1000, NOW / 1000);
    const faultsAt = async (now: number) => (await checkBackup(booth.path, now)).faults;
    expect(await faultsAt(NOW + 26 * HOUR_MS)).toEqual([]);
    expect(await faultsAt(NOW + 26 * HOUR_MS + 1000)).toEqual([expect.stringContaining("older than 26 hours")]);
    expect(await faultsAt(NOW - HOUR_MS)).toEqual([expect.stringContaining("future")]);
    utimesSync(path, 0, (NOW - 27 * HOUR_MS) / 1000);
    expect(await faultsAt(NOW)).toEqual([expect.stringContaining("older than 26 hours")]);
    expect(lastBackupAt(booth.path)).toBe(NOW - 27 * HOUR_MS);
    expect(backupMadeAt(path)).toBe(NOW - 27 * HOUR_MS);
  });
});

describe("a restore", () => {
  test("brings the rows back, keeps what it replaced, and is proven", async () => {
    using booth = await backedUp();
    addHistory(booth.dataDir, "later", 10);
    const { code, out } = await run("restore.ts", [booth.path], env(booth.dataDir));
    expect(code).toBe(0);
    expect(out).toContain("proven");
    expect(historyOf(join(booth.dataDir, "app.db"))).toHaveLength(50);
    expect(statSync(join(booth.dataDir, "app.db")).mode & 0o777).toBe(0o600);
    const aside = /kept as (\S+):/.exec(out)?.[1] as string;
    expect(historyOf(aside)).toHaveLength(60);
    openDb(booth.dataDir).close(false);
    expect((await run("backup-check.ts", [], env(booth.dataDir))).code).toBe(0);
  });

  test("a dry run proves the backup and changes nothing", async () => {
    using booth = await backedUp();
    addHistory(booth.dataDir, "later", 10);
    const { code, out } = await run("restore.ts", [booth.name, "--dry-run"], env(booth.dataDir));
    expect([code, out]).toEqual([0, expect.stringContaining("would replace")]);
    expect(historyOf(join(booth.dataDir, "app.db"))).toHaveLength(60);
  });

  test("works where there is no database at all, and replaces one that SQLite cannot read, its WAL too", async () => {
    using booth = await backedUp();
    const live = join(booth.dataDir, "app.db");
    for (const tail of ["", "-wal", "-shm"]) rmSync(live + tail, { force: true });
    expect((await run("restore.ts", [booth.path], env(booth.dataDir))).code).toBe(0);
    expect(historyOf(live)).toHaveLength(50);

    writeFileSync(live, "this is not a database at all".repeat(500));
    writeFileSync(`${live}-wal`, "stale");
    const { code, out } = await run("restore.ts", [booth.path], env(booth.dataDir));
    expect(code).toBe(0);
    const aside = /kept as (\S+):/.exec(out)?.[1] as string;
    expect(readFileSync(`${aside}-wal`, "utf8")).toBe("stale");
    expect(existsSync(`${live}-wal`)).toBe(false);
    expect(historyOf(live)).toHaveLength(50);
  });

  test("is refused while a process holds the database, even one without a lock", async () => {
    using booth = await backedUp();
    const writer = startWriter(booth.dataDir, "a");
    await writer.reaches(100);
    const refused = await run("restore.ts", [booth.path], env(booth.dataDir));
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("writer.ts ")]);
    const { committed } = await writer.stop();
    expect(historyOf(join(booth.dataDir, "app.db"))).toHaveLength(50 + committed);

    const file = openSync(join(booth.dataDir, "app.db"), "r");
    const holder = spawn("sleep", ["60"], { stdio: [file, "ignore", "ignore"] });
    await once(holder, "spawn");
    closeSync(file);
    const again = await run("restore.ts", [booth.path], env(booth.dataDir));
    holder.kill();
    expect([again.code, again.err]).toEqual([1, expect.stringContaining(`sleep 60 (process ${holder.pid})`)]);
    expect(backupFiles(booth.dataDir)).toEqual([booth.name]);
  });

  test("of a damaged, swapped or too new backup changes nothing", async () => {
    using booth = await backedUp();
    const live = join(booth.dataDir, "app.db");
    const damaged = join(booth.dataDir, "damaged.gz");
    copyFileSync(booth.path, damaged);
    truncateSync(damaged, statSync(damaged).size - 20);
    const swapped = fileIn(booth.dataDir, backupName(NOW));
    copyFileSync(booth.path, swapped);
    const db = new Database(live);
    db.run("PRAGMA user_version = 9999");
    db.close(false);
    const { path: tooNew } = await takeBackup(booth.dataDir, Date.now() + 5000);
    for (const [path, why] of [
      [damaged, "truncated or damaged"],
      [swapped, "under another one's name"],
      [tooNew, "schema version 9999"],
    ] as const) {
      const { code, err } = await run("restore.ts", [path], env(booth.dataDir));
      expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    }
    expect(historyOf(live)).toHaveLength(50);
    expect((await run("restore.ts", [], env(booth.dataDir))).err).toContain("Say which");
  });
});
