/** `bun run bench [booth|cutter|leads …]`: measures, prints, and keeps the figures in artefacts/bench.json. */
import { existsSync, mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { describe } from "../../shared/errors.ts";

const benches: Record<string, string> = {
  admin: "./admin.ts",
  booth: "./booth.ts",
  cutter: "./cutter/main.ts",
  leads: "./leads/main.ts",
  queue: "./queue/main.ts",
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches[name]);
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}: choose among ${Object.keys(benches).join(", ")}.`);
  process.exit(2);
}

const missed: string[] = [];
const results: Record<string, unknown> = {
  machine: `${cpus().length} × ${cpus()[0]?.model}`,
  bun: Bun.version,
  product: version,
  at: new Date().toISOString(),
};
for (const [name, file] of Object.entries(benches)) {
  if (wanted.length > 0 ? !wanted.includes(name) : !existsSync(join(import.meta.dir, file))) continue;
  console.log(`\n## ${name}`);
  try {
    const { run } = (await import(file)) as { run: () => Promise<unknown> };
    results[name] = await run();
    console.log(
      typeof results[name] === "string" ? results[name] : Bun.inspect(results[name], { colors: false, depth: 6 }),
    );
  } catch (error) {
    // The others' figures are worth keeping.
    results[name] = { failed: describe(error) };
    missed.push(name);
    console.error(
      `${name} could not be measured: ${describe(error)}. Are its peers there? bun install --cwd test/bench`,
    );
  }
}

const folder = join(import.meta.dir, "../../artefacts");
mkdirSync(folder, { recursive: true });
await Bun.write(join(folder, "bench.json"), `${JSON.stringify(results, null, 2)}\n`);
process.exit(missed.length === 0 ? 0 : 1);
