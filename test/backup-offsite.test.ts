import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { listBackups } from "../shared/backup/list.ts";
import { backupsDir } from "../shared/files.ts";
import { backupFiles, historyOf, run, scratch, scratchBooth } from "./deploy/booth.ts";

const KEY = "S3RVER"; // the server's built-in account
const store = scratch("store-");
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  directory: store.path,
  configureBuckets: [{ name: "copies", configs: [] }],
});
let endpoint = "";
beforeAll(async () => {
  endpoint = `http://127.0.0.1:${(await server.run()).port}`;
});
afterAll(async () => {
  await server.close();
  store[Symbol.dispose]();
});

const env = (dataDir: string, more: Record<string, string> = {}) => ({
  DATA_DIR: dataDir,
  BACKUP_S3_ENDPOINT: endpoint,
  BACKUP_S3_BUCKET: "copies",
  BACKUP_S3_KEY_ID: KEY,
  BACKUP_S3_SECRET: KEY,
  ...more,
});

describe("the copy off site", () => {
  test("survives the loss of the machine: the newest is fetched and restored on another one", async () => {
    using lost = scratchBooth(33);
    const made = await run("backup.ts", [], env(lost.path));
    expect([made.code, made.err]).toEqual([0, ""]);
    expect(made.out).toContain("copied and read back");

    using fresh = scratch();
    const { code, err, out } = await run("restore.ts", ["--offsite"], env(fresh.path));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(listBackups(lost.path)[0] as string);
    expect(historyOf(join(fresh.path, "app.db"))).toHaveLength(33);
  });

  test("by name; a name that is not there, or is none, is said plainly", async () => {
    using booth = scratchBooth(5);
    await run("backup.ts", [], env(booth.path));
    const [name = ""] = listBackups(booth.path);
    const mine = readFileSync(join(backupsDir(booth.path), name));
    rmSync(join(backupsDir(booth.path), name));
    expect((await run("restore.ts", ["--offsite", name, "--dry-run"], env(booth.path))).code).toBe(0);
    expect(readFileSync(join(backupsDir(booth.path), name)).equals(mine)).toBe(true);
    for (const wrong of ["app-20000101T000000Z.db.gz", "../../etc/passwd"]) {
      const { code, err } = await run("restore.ts", ["--offsite", wrong], env(booth.path));
      expect([code, err]).toEqual([1, expect.stringContaining("could not be brought from off site")]);
    }
  });

  test("that fails leaves the good backup here, and the command says so and fails", async () => {
    using booth = scratchBooth(5);
    const faults: Record<string, string>[] = [
      { BACKUP_S3_SECRET: "a wrong secret" },
      { BACKUP_S3_BUCKET: "absent" },
      { BACKUP_S3_ENDPOINT: "http://127.0.0.1:9" },
    ];
    for (const fault of faults) {
      const before = listBackups(booth.path).length;
      const { code, err, out } = await run("backup.ts", [], env(booth.path, fault));
      expect([fault, code]).toEqual([fault, 1]);
      expect(err).toContain("The copy off site failed; the backup on this machine is good");
      expect(err + out).not.toContain("wrong secret");
      expect(listBackups(booth.path)).toHaveLength(before + 1);
    }
    expect((await run("backup-check.ts", [], env(booth.path))).code).toBe(0);
  });

  test("a copy that was changed in the store is refused", async () => {
    using booth = scratchBooth(5);
    await run("backup.ts", [], env(booth.path, { BACKUP_S3_PREFIX: "other/" }));
    const [name = ""] = listBackups(booth.path);
    const object = join(store.path, "copies", "other", `${name}._S3rver_object`);
    expect(existsSync(object)).toBe(true);
    const bytes = readFileSync(object);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 0xff;
    writeFileSync(object, bytes);
    const mine = readFileSync(join(backupsDir(booth.path), name));
    const { code, err } = await run("restore.ts", ["--offsite"], env(booth.path, { BACKUP_S3_PREFIX: "other/" }));
    expect([code, err]).toEqual([1, expect.stringContaining("use another one")]);
    expect(historyOf(join(booth.path, "app.db"))).toHaveLength(5);
    // Nor does it take the place of the good one here.
    expect(backupFiles(booth.path)).toEqual([name]);
    expect(readFileSync(join(backupsDir(booth.path), name)).equals(mine)).toBe(true);
  });

  test("half a configuration is a fault of the settings", async () => {
    using booth = scratchBooth(1);
    const { code, err } = await run("backup.ts", [], { DATA_DIR: booth.path, BACKUP_S3_BUCKET: "copies" });
    expect(code).toBe(78);
    expect(err).toContain("BACKUP_S3_KEY_ID is missing");
    expect(err).toContain("BACKUP_S3_SECRET is missing");
  });
});
