/** How long the slowest commit of two processes writing at full speed takes, without and with backups: `bun test/deploy/backup-bench.ts [ROWS]`. */
import { addHistory, run, scratchBooth, startWriter } from "./booth.ts";

const ROWS = Number(process.argv[2] ?? 200_000);
const BACKUPS = 3;

async function measured(label: string, names: string[], during: (dataDir: string) => Promise<void>) {
  using booth = scratchBooth(0);
  addHistory(booth.path, "old", ROWS);
  const writers = names.map((name) => startWriter(booth.path, name, ...(names.length === 1 ? ["alone" as const] : [])));
  await Promise.all(writers.map((writer) => writer.reaches(500)));
  const started = performance.now();
  await during(booth.path);
  const seconds = (performance.now() - started) / 1000;
  const ends = await Promise.all(writers.map((writer) => writer.stop()));
  const commits = ends.reduce((sum, { committed }) => sum + committed, 0);
  console.log(
    `${names.length} writing, ${label}: ${seconds.toFixed(1)} s, ${commits} commits, slowest ${ends.map((e) => e.slowestMs.toFixed(1)).join(" and ")} ms, ${ends.map((e) => e.refused).join(" and ")} had to wait for a lock longer than they may`,
  );
}

for (const names of [["a"], ["a", "b"]]) {
  await measured("no backup", names, () => Bun.sleep(4000));
  await measured(`${BACKUPS} backups`, names, async (dataDir) => {
    for (let i = 0; i < BACKUPS; i++) {
      const { code, out, err } = await run("backup.ts", [], { DATA_DIR: dataDir });
      if (code !== 0) throw new Error(err);
      console.log(`  ${out.split("\n")[1]}`);
    }
  });
}
