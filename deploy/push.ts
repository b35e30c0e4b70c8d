/**
 * `bun deploy/push.ts USER@SERVER`: sends the committed tree to the server and updates it there. Needs git, ssh and scp on
 * this machine (Windows, Linux and macOS have them) and root, or sudo without a password, on the server.
 *
 *     --setup DOMAIN   sets the server up first (deploy/setup.sh); harmless when it is already
 *     --bun FILE       the npm package of Bun for the server, instead of fetching it
 *     --dry-run        says what would be done, here and there, and changes nothing
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { command } from "./command.ts";
import { bunVersion, fetchBun, packageFor } from "./push/bun-package.ts";

const ROOT = join(import.meta.dir, "..");
const ARCHIVE = "release.tar.gz";
const BUN = "bun.tgz";

type Where = { cwd?: string };

/** Runs a program without a shell, so that nothing depends on this machine's. @returns what it printed @throws when it fails */
async function run(words: string[], { cwd = ROOT }: Where = {}): Promise<string> {
  const child = Bun.spawn(words, { cwd, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const out = (await new Response(child.stdout).text()).trim();
  if ((await child.exited) !== 0) throw new Error(`${words[0]} failed: see above.`);
  return out;
}

/** As `run`, with its output shown as it comes. */
async function show(words: string[], { cwd = ROOT }: Where = {}) {
  const child = Bun.spawn(words, { cwd, stdin: "ignore", stdout: "inherit", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`${words[0]} failed: see above.`);
}

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { setup: { type: "string" }, bun: { type: "string" }, "dry-run": { type: "boolean", default: false } },
  });
  const [server] = positionals;
  if (!server || !/^[A-Za-z0-9_.@:[\]-]+$/.test(server) || server.startsWith("-"))
    throw new Error("say where to: bun deploy/push.ts root@stickers.example");
  if (values.setup && !/^[a-z0-9][a-z0-9.-]*$/.test(values.setup))
    throw new Error("--setup takes a domain in small letters, without https://, such as stickers.example");
  const ssh = (...words: string[]) => ["ssh", "-o", "BatchMode=yes", server, ...words];

  if ((await run(["git", "status", "--porcelain", "--untracked-files=no"])) !== "")
    console.warn("note: there are changes that are not committed; they are not sent");
  const commit = await run(["git", "rev-parse", "--short=10", "HEAD"]);
  const name = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, "")}Z-${commit}`;
  console.log(`${commit} → ${server} as ${name}`);

  const [machine = "", has = ""] = (
    await run(ssh(`uname -m; test -x /opt/sticker-booth/bun/${bunVersion}/bun && echo yes || echo no`))
  ).split("\n");
  const work = mkdtempSync(join(tmpdir(), "booth-push-"));
  try {
    // As committed, whatever this machine does to line ends.
    const asCommitted = ["-c", "core.autocrlf=false", "-c", "core.eol=lf"];
    await run(["git", ...asCommitted, "archive", "--format=tar.gz", "-o", join(work, ARCHIVE), "HEAD"]);
    const files = [ARCHIVE];
    if (has.trim() !== "yes") {
      const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
      const bytes = values.bun ? await Bun.file(values.bun).bytes() : await fetchBun(packageFor(machine.trim()), lock);
      await Bun.write(join(work, BUN), bytes);
      files.push(BUN);
    }
    const there = await run(ssh("mktemp -d"));
    // Goes into commands below, also into `rm -rf`: a greeting that the server's shell prints must not.
    if (!/^\/[A-Za-z0-9_./-]+$/.test(there)) throw new Error(`the server says more than was asked: ${there}`);
    try {
      // Relative names: scp takes the colon of C:\ for a server's.
      await show(["scp", "-o", "BatchMode=yes", "-q", ...files, `${server}:${there}/`], { cwd: work });
      await show(ssh(script(there, name, files.includes(BUN), values.setup, values["dry-run"])));
    } finally {
      await run(ssh(`rm -rf '${there}'`));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});

/**
 * What the server does, in a shell that is known, whichever one the user logs in with: nothing in it has single quotes.
 * The archive brings the scripts that install it.
 */
function script(there: string, name: string, withBun: boolean, domain: string | undefined, dryRun: boolean): string {
  const bun = withBun ? ` --bun ${there}/${BUN}` : "";
  const dry = dryRun ? " --dry-run" : "";
  const root = '$(test "$(id -u)" = 0 || echo "sudo -n")';
  const words = [
    "set -e",
    `mkdir ${there}/tree`,
    `tar -xzf ${there}/${ARCHIVE} -C ${there}/tree`,
    ...(domain ? [`${root} bash ${there}/tree/deploy/setup.sh --domain ${domain}${bun}${dry}`] : []),
    `${root} bash ${there}/tree/deploy/update.sh ${there}/${ARCHIVE} ${name}${bun}${dry}`,
  ];
  return `sh -c '${words.join("; ")}'`;
}
