/** Archives of the working tree as `push.ts` would send them, with whatever changes a test wants in them. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { devDependencies } from "../../package.json";
import { ROOT, scratch } from "./booth.ts";

const tar = (...words: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(["tar", ...words], { stderr: "pipe" });
  if (exitCode !== 0) throw new Error(stderr.toString());
};

const PACKAGE = process.arch === "arm64" ? "bun-linux-aarch64" : "bun-linux-x64";

/** The running Bun as its npm package, and a bun.lock that knows it. */
export function bunPackage(folder: string) {
  using work = scratch();
  const bin = join(work.path, "package/bin");
  mkdirSync(bin, { recursive: true });
  cpSync(process.execPath, join(bin, "bun"), { dereference: true });
  const file = join(folder, `${PACKAGE}.tgz`);
  // Fast: it is 100 MB and packed for one test.
  tar("-C", work.path, "--use-compress-program=gzip -1", "-cf", file, "package");
  const sha512 = createHash("sha512").update(readFileSync(file)).digest("base64");
  const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
  const line = new RegExp(`("@oven/${PACKAGE}": \\["@oven/${PACKAGE}@${devDependencies.bun}",.*"sha512-)[^"]+"`);
  if (!line.test(lock)) throw new Error("bun.lock does not name this machine's Bun");
  return { file, lock: lock.replace(line, `$1${sha512}"`) };
}

/** Writes `<folder>/<name>.tar.gz`: the tree as git knows it, with `changes` (a path's new text). */
export function releaseArchive(
  folder: string,
  name: string,
  changes: Record<string, string | ((before: string) => string)>,
) {
  using work = scratch();
  const listed = Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "-z"], { cwd: ROOT }).stdout.toString();
  for (const path of listed.split("\0").filter((path) => path && existsSync(join(ROOT, path)))) {
    if (/^(test|artefacts|kiosk\/art)\//.test(path)) continue;
    mkdirSync(dirname(join(work.path, path)), { recursive: true });
    cpSync(join(ROOT, path), join(work.path, path));
  }
  for (const [path, text] of Object.entries(changes)) {
    const file = join(work.path, path);
    writeFileSync(file, typeof text === "string" ? text : text(readFileSync(file, "utf8")));
  }
  const archive = join(folder, `${name}.tar.gz`);
  tar("-C", work.path, "-czf", archive, ".");
  return archive;
}
