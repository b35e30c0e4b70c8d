/** A machine of its own to try the deployment on: see machine.sh. */
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type Ran, ROOT, scratch } from "./booth.ts";

const BOOT_MS = 60_000;
const needed = ["unshare", "nsenter", "ip", "ufw", "caddy", "curl", "flock", "runuser", "sshd", "git"];

export type Machine = {
  /** What `nsenter` needs to get in. */
  entry: string[];
  /** Runs a shell command inside, as root. */
  sh(command: string, env?: Record<string, string>): Promise<Ran>;
  /** As `sh`, for what has to succeed. @returns what it printed */
  ok(command: string, env?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
};

/** @returns the machine, or why there can be none here */
export async function bootMachine(): Promise<Machine | string> {
  const missing = needed.filter((program) => !Bun.which(program));
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "they need Linux and root";
  if (!existsSync("/lib/systemd/systemd") || missing.length > 0)
    return `not found: ${missing.join(", ") || "systemd"} (apt-get install systemd ufw caddy curl iproute2 openssh-server)`;
  const folder = scratch("machine-");
  const script = [join(ROOT, "test/deploy/machine.sh"), folder.path, ROOT.replace(/\/$/, "")];
  const outer = Bun.spawn(["unshare", "--mount", "bash", ...script], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  // Also when the tests are broken off.
  process.once("exit", () => outer.kill("SIGKILL"));
  const complaint = new Response(outer.stderr).text();
  const deadline = Date.now() + BOOT_MS;
  for (;;) {
    const init = initOf(outer.pid);
    if (outer.exitCode !== null || Date.now() > deadline) {
      outer.kill("SIGKILL");
      folder[Symbol.dispose]();
      return `namespaces cannot be made here: ${(await complaint).trim().split("\n").at(-1)}`;
    }
    if (init !== null && (await inside(init, "systemctl is-system-running", {})).out.match(/running|degraded/))
      return machine(init, outer, folder, script);
    await Bun.sleep(200);
  }
}

function machine(init: number, outer: Bun.Subprocess, folder: Disposable, script: string[]): Machine {
  const sh = (command: string, env: Record<string, string> = {}) => inside(init, command, env);
  return {
    entry: entryOf(init),
    sh,
    async ok(command, env) {
      const { code, out, err } = await sh(command, env);
      if (code !== 0) throw new Error(`${command}\nended with ${code}\n${out}\n${err}`);
      return out;
    },
    async stop() {
      process.kill(init, "SIGKILL");
      await outer.exited;
      await Bun.spawn(["unshare", "--mount", "bash", ...script, "tidy"], { stderr: "ignore" }).exited;
      folder[Symbol.dispose]();
    },
  };
}

/** Process 1 of the machine, once there is one: what is done before has children too. */
function initOf(pid: number): number | null {
  try {
    const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
    return readlinkSync(`/proc/${child}/ns/pid`) === readlinkSync("/proc/self/ns/pid") ? null : child;
  } catch {
    return null;
  }
}

const entryOf = (init: number) => ["-t", String(init), ..."-m -u -i -n -p -C -r -w".split(" ")];

async function inside(init: number, command: string, env: Record<string, string>): Promise<Ran> {
  const child = Bun.spawn(["nsenter", ...entryOf(init), "bash", "-c", `cd /; ${command}`], {
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}
