/** The processes of the demo: started, watched and stopped by their own ids. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
/** Longer than any of the processes takes to stop by itself. */
const STOP_WITHIN_MS = 30_000;
const LOG_LINES_SHOWN = 12;

export type Env = Record<string, string>;

/** A reason to end that people are told as it stands. */
export class DemoFault extends Error {}

export class Crew {
  private readonly members: { name: string; process: Bun.Subprocess; log: string | undefined }[] = [];
  private stopping = false;

  /** Without a folder for their logs the processes write to this one's output. */
  constructor(private readonly folder: string | undefined) {}

  /** Runs `<name>/main.ts`. It gets a process group of its own: Ctrl-C is for the demo, which then stops it once. */
  start(name: string, env: Env): void {
    const log = this.folder && join(this.folder, `${name}.log`);
    const output = log ? Bun.file(log) : "inherit";
    const command = [process.execPath, "--no-env-file", join(ROOT, name, "main.ts")];
    const spawned = Bun.spawn(command, {
      cwd: ROOT,
      env,
      stdin: "ignore",
      stdout: output,
      stderr: output,
      detached: true,
    });
    this.members.push({ name, process: spawned, log });
  }

  /** Rejects as soon as one ends although nobody asked it to. */
  async anyDeath(): Promise<never> {
    const {
      name,
      process: dead,
      log,
    } = await Promise.race(this.members.map((member) => member.process.exited.then(() => member)));
    if (this.stopping) return await new Promise<never>(() => {});
    const said = log ? `\n${lastLines(log)}` : "";
    throw new DemoFault(`${name} stopped by itself (${dead.signalCode ?? `exit code ${dead.exitCode}`}).${said}`);
  }

  /** Asks all to stop and waits; who does not is killed. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { process: child } of this.members) child.kill("SIGTERM");
    const late = setTimeout(() => {
      for (const { name, process: child } of this.members)
        if (child.exitCode === null && child.signalCode === null) {
          console.error(`${name} does not stop: it is killed.`);
          child.kill("SIGKILL");
        }
    }, STOP_WITHIN_MS);
    await Promise.all(this.members.map(({ process: child }) => child.exited));
    clearTimeout(late);
  }
}

function lastLines(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-LOG_LINES_SHOWN).join("\n");
}
