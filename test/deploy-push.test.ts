/** Pushing from a workstation: ssh and scp are stand-ins that act on this machine and write down what they were asked. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockedSha512, packageFor } from "../deploy/push/bun-package.ts";
import { ROOT, scratch } from "./deploy/booth.ts";

/** A PATH whose ssh runs here and whose scp copies here; `bash …/setup.sh` and `update.sh` are only written down. */
function workstation(hasBun: boolean) {
  const folder = scratch("push-");
  const tool = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(folder.path, name), 0o755);
  };
  const log = join(folder.path, "log");
  tool(
    "ssh",
    `echo "ssh $*" >> '${log}'; shift 3
case $* in uname*) printf '%s\\n' x86_64 ${hasBun ? "yes" : "no"} ;; *) exec /bin/bash -c "$*" ;; esac`,
  );
  tool("scp", `echo "scp $*" >> '${log}'; shift 3; to=\${!#}; cp "\${@:1:$#-1}" "\${to#*:}"`);
  tool(
    "bash",
    `echo "bash $*" >> '${log}'; test -f "$1" && test -f "\${1%deploy/*}package.json" || exit 9; cp "\${1%tree/*}"*gz '${folder.path}' 2>/dev/null; exit 0`,
  );
  return Object.assign(folder, {
    log: () => readFileSync(log, "utf8"),
    async push(...args: string[]) {
      const child = Bun.spawn([process.execPath, join(ROOT, "deploy/push.ts"), ...args], {
        env: { ...process.env, PATH: `${folder.path}:${process.env.PATH}` },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      return { code: await child.exited, out, err };
    },
  });
}

describe("push", () => {
  test("sends the committed tree, sets up and updates by the archive's own scripts, and leaves nothing behind", async () => {
    using here = workstation(false);
    const bun = join(here.path, "package.tgz");
    writeFileSync(bun, "the package");
    const { code, err } = await here.push(
      "root@booth.example",
      "--setup",
      "stickers.example",
      "--bun",
      bun,
      "--dry-run",
    );
    expect([code, err.replace(/^note: .*\n/, "")]).toEqual([0, ""]);
    const calls = here.log().trim().split("\n");
    const setup = calls.find((call) => call.startsWith("bash ") && call.includes("setup.sh")) ?? "";
    const update = calls.find((call) => call.startsWith("bash ") && call.includes("update.sh")) ?? "";
    expect(setup).toMatch(
      /^bash \S+\/tree\/deploy\/setup\.sh --domain stickers\.example --bun \S+\/bun\.tgz --dry-run$/,
    );
    expect(update).toMatch(
      /^bash \S+\/tree\/deploy\/update\.sh \S+\/release\.tar\.gz \d{8}T\d{6}Z-[0-9a-f]{10} --bun \S+\/bun\.tgz --dry-run$/,
    );
    // Whatever shell the user logs in with (fish, csh), it has only to start this one.
    expect(calls.find((call) => call.includes("set -e"))).toMatch(
      /^ssh -o BatchMode=yes root@booth\.example sh -c '[^']*'$/,
    );
    expect(readFileSync(join(here.path, "bun.tgz"), "utf8")).toBe("the package");
    expect(existsSync(/^bash (\S+)\/tree/.exec(setup)?.[1] as string)).toBe(false);
    const listed = Bun.spawnSync(["tar", "-tzf", join(here.path, "release.tar.gz")]).stdout.toString();
    const committed = Bun.spawnSync(["git", "ls-tree", "-r", "--name-only", "HEAD"], { cwd: ROOT }).stdout.toString();
    expect(
      listed
        .split("\n")
        .filter((path) => path && !path.endsWith("/"))
        .sort(),
    ).toEqual(committed.trim().split("\n").sort());
  });

  test("a server that has this Bun is sent no other", async () => {
    using here = workstation(true);
    const { code } = await here.push("root@booth.example");
    expect(code).toBe(0);
    expect(here.log()).not.toContain("--bun");
    expect(here.log()).not.toContain("setup.sh");
    expect(existsSync(join(here.path, "bun.tgz"))).toBe(false);
  });

  test("a failure on the server is a failure here; odd arguments reach no shell", async () => {
    using here = workstation(true);
    writeFileSync(join(here.path, "bash"), "#!/bin/sh\nexit 7\n");
    expect((await here.push("root@booth.example")).code).toBe(1);
    for (const args of [
      [],
      ["-oProxyCommand=evil"],
      ["root@x; rm -rf /"],
      ["root@x", "--setup", "a'b"],
      ["root@x", "--setup", "https://x"],
    ]) {
      const { code, err } = await here.push(...args);
      expect([args, code, err]).toEqual([args, 1, expect.stringContaining("It failed")]);
    }
  });

  test("a server that greets before it answers is left alone", async () => {
    using here = workstation(true);
    writeFileSync(join(here.path, "mktemp"), "#!/bin/sh\necho 'Welcome to /'; exec /bin/mktemp \"$@\"\n");
    chmodSync(join(here.path, "mktemp"), 0o755);
    const { code, err } = await here.push("root@booth.example");
    expect([code, err]).toEqual([1, expect.stringContaining("says more than was asked: Welcome")]);
    expect(here.log()).not.toContain("rm -rf");
  });

  test("the checksum of Bun is the one that bun.lock has for the server's kind of machine", () => {
    const lock = readFileSync(join(ROOT, "bun.lock"), "utf8");
    for (const machine of ["x86_64", "aarch64"])
      expect(lockedSha512(lock, packageFor(machine))).toMatch(/^[A-Za-z0-9+/]{86}==$/);
    expect(() => packageFor("riscv64")).toThrow("not made for riscv64");
    expect(() => lockedSha512("", "bun-linux-x64")).toThrow("no checksum");
  });
});
