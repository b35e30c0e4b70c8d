/** A disk of a few hundred kilobytes: a tmpfs, where this machine lets us mount one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "./booth.ts";

const mount = (...words: string[]) => Bun.spawnSync(["mount", ...words], { stderr: "ignore" }).exitCode === 0;

/** @returns null where nobody may mount; the tests then say that they did not run, and why */
export function smallDisk(kilobytes: number) {
  const folder = scratch("disk-");
  const path = join(folder.path, "disk");
  mkdirSync(path);
  if (process.platform !== "linux" || !mount("-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", path)) {
    folder[Symbol.dispose]();
    return null;
  }
  return {
    path,
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "-l", path]);
      folder[Symbol.dispose]();
    },
  };
}

export const canMount = (() => {
  const disk = smallDisk(64);
  disk?.[Symbol.dispose]();
  if (!disk)
    console.warn("Tests on a full disk are left out: this machine does not let us mount a tmpfs (they need root).");
  return disk !== null;
})();
