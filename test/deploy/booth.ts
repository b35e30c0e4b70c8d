/** A scratch DATA_DIR and the operators' commands, as processes. */
import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb } from "../../shared/db.ts";
import { backupsDir, prepareFolders } from "../../shared/files.ts";

export const ROOT = new URL("../..", import.meta.url).pathname;

/** A folder that is gone after the test. */
export function scratch(prefix = "booth-") {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A DATA_DIR with a migrated database and some rows; its connection is closed again. */
export function scratchBooth(rows = 50) {
  const folder = scratch();
  prepareFolders(folder.path);
  openDb(folder.path).close(false);
  addHistory(folder.path, "visit", rows);
  return folder;
}

export function addHistory(dataDir: string, name: string, rows: number) {
  const db = openDb(dataDir);
  const insert = db.query(
    "INSERT INTO history (machine, subject, after, actor, at) VALUES ('sessions', ?, 'created', 'kiosk', ?)",
  );
  db.transaction(() => {
    for (let i = 1; i <= rows; i++) insert.run(`${name}-${i}`, 1_800_000_000_000 + i);
  })();
  db.close(false);
}

export function historyOf(path: string): string[] {
  const db = new Database(path, { readonly: true });
  try {
    return (db.query("SELECT subject FROM history ORDER BY id").all() as { subject: string }[]).map((r) => r.subject);
  } finally {
    db.close(false);
  }
}

/** Everything in `backups/`, half-made things too. */
export const backupFiles = (dataDir: string) => readdirSync(backupsDir(dataDir)).sort();

export type Ran = { code: number; out: string; err: string };

/** Runs `deploy/<script>` as the operators' commands do, away from any `.env`. */
export async function run(script: string, args: string[], env: Record<string, string>): Promise<Ran> {
  const child = Bun.spawn([process.execPath, "--env-file=/dev/null", join(ROOT, "deploy", script), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** A process that writes history rows at full speed. */
export function startWriter(dataDir: string, name: string, ...mode: "alone"[]) {
  const child = Bun.spawn([process.execPath, join(ROOT, "test/deploy/writer.ts"), dataDir, name, ...mode], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  let committed = 0;
  let slowestMs = 0;
  let refused = 0;
  const told: { least: number; tell: () => void }[] = [];
  const ended = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const part of child.stdout) {
      const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) ({ committed, slowestMs = slowestMs, refused = refused } = JSON.parse(line));
      for (const waiter of told.filter(({ least }) => committed >= least)) waiter.tell();
    }
    await child.exited;
  })();
  return {
    /** Rows that are known to be committed. */
    get committed() {
      return committed;
    },
    /** Resolves once so many rows are committed. */
    reaches: (least: number) =>
      committed >= least ? Promise.resolve() : new Promise<void>((tell) => told.push({ least, tell })),
    async stop() {
      child.stdin.end();
      await ended;
      return { committed, slowestMs, refused };
    },
    kill: () => child.kill("SIGKILL"),
  };
}
