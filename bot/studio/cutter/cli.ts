/** `bun run cut SHEET OUT [--matte]`: cuts one sheet, a file, into stickers, a folder. */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { type Cut, cutSheet, SheetUnusable } from "./cutter.ts";
import { contactSheet } from "./preview.ts";

/** What this command writes, and so what an earlier run may have left behind. */
const OWN_FILE = /^(sticker-\d{2,3}\.(png|webp)|report\.json|matte\.png|preview\.png)$/;

const USAGE = "Usage: bun run cut SHEET OUT [--matte]";

/** @returns the exit code: 0 done, 1 the sheet is unusable or a file cannot be read or written, 2 wrong arguments */
export async function main(args: string[]): Promise<number> {
  const matte = args.includes("--matte");
  const [sheet, out, ...rest] = args.filter((arg) => arg !== "--matte");
  if (!sheet || !out || rest.length > 0 || sheet.startsWith("--")) {
    console.error(USAGE);
    return 2;
  }
  let bytes: Uint8Array;
  try {
    bytes = await Bun.file(sheet).bytes();
  } catch {
    console.error(`Cannot read the sheet ${sheet}.`);
    return 1;
  }
  try {
    const cut = await cutSheet(bytes, { matte });
    await mkdir(out, { recursive: true });
    await removeEarlier(out, sheet);
    await write(out, cut);
    const doubts = cut.problems.length > 0 ? `; not sure: ${cut.problems.join(", ")}` : "";
    console.log(`${cut.stickers.length} stickers in ${out}${doubts}`);
    return 0;
  } catch (error) {
    if (error instanceof SheetUnusable) console.error(`${error.message} (${error.code})`);
    else
      console.error(
        `The sheet could not be cut into ${out}: ${error instanceof Error ? error.message : String(error)}`,
      );
    return 1;
  }
}

/** Removes what an earlier run wrote into `out`; the sheet itself stays, whatever it is called. */
async function removeEarlier(out: string, sheet: string): Promise<void> {
  for (const name of await readdir(out)) {
    const file = resolve(out, name);
    if (OWN_FILE.test(name) && file !== resolve(sheet)) await rm(file);
  }
}

async function write(out: string, cut: Cut & { matte?: Uint8Array }): Promise<void> {
  const stickers = cut.stickers.map(({ cell, box, type }, i) => ({
    file: `sticker-${String(i + 1).padStart(2, "0")}.${type}`,
    cell,
    box,
  }));
  for (const [i, { file }] of stickers.entries()) await Bun.write(join(out, file), cut.stickers[i]!.bytes);
  if (cut.matte) await Bun.write(join(out, "matte.png"), cut.matte);
  await Bun.write(join(out, "preview.png"), await contactSheet(cut.stickers));
  const report = { key: cut.key, stickers, problems: cut.problems };
  await Bun.write(join(out, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
}

if (import.meta.main) {
  // One sheet and out: nothing is worth remembering, and threads beyond one cost memory.
  sharp.cache(false);
  sharp.concurrency(1);
  process.exit(await main(process.argv.slice(2)));
}
