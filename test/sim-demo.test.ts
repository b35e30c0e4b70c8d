/** `deploy/demo.ts` as people start it: a process that opens a booth, and takes everything away at the end. */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const OPEN_MS = 60_000;
/** The bot may finish a step before it stops. */
const TEST_MS = 120_000;

type Demo = {
  process: Bun.Subprocess<"ignore", "pipe", "pipe">;
  said: () => string;
  /** The exit code, once everything that was said has been read. */
  ended: Promise<number>;
  link(name: string): string;
};
let running: Demo | undefined;
const folders: string[] = [];

afterEach(async () => {
  running?.process.kill("SIGTERM");
  await running?.process.exited;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function startDemo(...args: string[]): Demo {
  const child = Bun.spawn([process.execPath, "deploy/demo.ts", ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let said = "";
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream) said += new TextDecoder().decode(part);
  });
  const ended = Promise.all(read).then(() => child.exited);
  const link = (name: string) => new RegExp(`${name}\\s+(\\S+)`).exec(said)?.[1] ?? "";
  running = { process: child, said: () => said, ended, link };
  return running;
}

async function opened(demo: Demo): Promise<void> {
  const deadline = Date.now() + OPEN_MS;
  while (!demo.said().includes("Ctrl-C stops everything")) {
    if (demo.process.exitCode !== null || Date.now() > deadline) throw new Error(`not opened:\n${demo.said()}`);
    await Bun.sleep(50);
  }
}

/** Waits until the phone page is shown a text, in whichever chat. */
async function hears(events: string, text: string): Promise<void> {
  const { body } = await fetch(events, { signal: AbortSignal.timeout(OPEN_MS) });
  let heard = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    heard += part;
    if (heard.includes(text)) return;
  }
  throw new Error(`never heard: ${heard}`);
}

/** Process ids of the demo's children. */
function childrenOf(pid: number): number[] {
  const listed = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(pid)]).stdout.toString();
  return listed.trim().split(/\s+/).filter(Boolean).map(Number);
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("bun run demo", () => {
  test(
    "opens a booth, a phone, the admin page and the form, and leaves nothing behind",
    async () => {
      const demo = startDemo();
      await opened(demo);
      const kiosk = demo.link("Kiosk");
      expect(await fetch(`${kiosk}health`).then((answer) => answer.json())).toMatchObject({ status: "ok" });
      const session = await fetch(`${kiosk}session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      }).then((answer) => answer.json() as Promise<{ deep_link: string }>);
      const phone = await fetch(session.deep_link);
      expect(phone.url).toStartWith(`${demo.link("Phone")}?start=`);
      expect(await phone.text()).toContain("/phone/main.js");
      expect((await fetch(demo.link("Landing"))).status).toBe(200);
      // The operator who asked how the booth is reads Russian.
      await hears(`${demo.link("Phone")}/events`, "ИИ за сегодня:");
      const children = childrenOf(demo.process.pid);
      expect(children).toHaveLength(3);
      const folder = dirname(demo.link("Logs"));
      expect(existsSync(join(folder, "app.db"))).toBe(true);

      demo.process.kill("SIGINT");
      expect(await demo.ended).toBe(0);
      expect(children.filter(runs)).toEqual([]);
      expect(existsSync(folder)).toBe(false);
    },
    TEST_MS,
  );

  test(
    "ends with a plain reason when one of the processes dies, and keeps the data when asked",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "booth-demo-test-"));
      folders.push(folder);
      const demo = startDemo("--keep", folder);
      await opened(demo);
      const children = childrenOf(demo.process.pid);
      process.kill(children[1] ?? 0, "SIGKILL");
      expect(await demo.ended).toBe(1);
      expect(demo.said()).toMatch(/The demo ended: \w+ stopped by itself \(SIGKILL\)\./);
      expect(demo.said()).toContain(`The data stays in ${folder}`);
      expect(children.filter(runs)).toEqual([]);
      expect(readdirSync(folder)).toContain("app.db");
    },
    TEST_MS,
  );

  test("wrong arguments and folders that cannot be made are refused in words", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "booth-demo-test-")), "file");
    folders.push(dirname(file));
    writeFileSync(file, "");
    const unknown = startDemo("--colour");
    expect(await unknown.ended).toBe(64);
    expect(unknown.said()).toContain("bun run demo [--keep [DIR]]");
    const blocked = startDemo("--keep", join(file, "data"));
    expect(await blocked.ended).toBe(1);
    expect(blocked.said()).toContain("the data folder cannot be made");
    const keyless = startDemo("--ai");
    expect(await keyless.ended).toBe(1);
    expect(keyless.said()).toContain("--ai needs GEMINI_API_KEY or OPENAI_API_KEY");
  });
});
