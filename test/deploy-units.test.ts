/** The units as systemd itself judges them, and the scripts as shellcheck does. */
import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, scratch } from "./deploy/booth.ts";

const UNITS = join(ROOT, "deploy/systemd");
const MOST_EXPOSED = 2.5;
const services = readdirSync(UNITS).filter((name) => name.endsWith(".service"));
const text = (name: string) => readFileSync(join(UNITS, name), "utf8");

/** A tool that is not here is said once; its tests are left out. */
function has(program: string, source: string): boolean {
  if (Bun.which(program)) return true;
  console.warn(`Tests by ${program} are left out: it is not installed (apt-get install ${source}).`);
  return false;
}

function analyze(...words: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["systemd-analyze", ...words], { stderr: "pipe" });
  return { code: exitCode, said: stdout.toString() + stderr.toString() };
}

describe.if(has("systemd-analyze", "systemd"))("systemd", () => {
  test("finds no fault in any unit", () => {
    using folder = scratch("units-");
    cpSync(UNITS, folder.path, { recursive: true });
    const names = readdirSync(folder.path).filter((name) => /\.(service|timer)$/.test(name));
    expect(names).toHaveLength(7);
    for (const name of names) {
      // Where the release is not installed its Bun stands in, so that only the path is not judged.
      const path = join(folder.path, name);
      writeFileSync(path, readFileSync(path, "utf8").replace("/opt/sticker-booth/current/bun", process.execPath));
      expect([name, analyze("verify", "--man=no", path)]).toEqual([name, { code: 0, said: "" }]);
    }
  });

  test(`rates no service's exposure above ${MOST_EXPOSED}`, () => {
    for (const name of services) {
      const { said } = analyze("security", "--offline=true", "--no-pager", join(UNITS, name));
      const score = Number(/exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
      expect([name, score]).toEqual([name, expect.any(Number)]);
      expect(score).toBeLessThanOrEqual(MOST_EXPOSED);
    }
  });

  test("understands both calendars, in UTC", () => {
    for (const [name, calendar] of [
      ["sticker-backup.timer", "*-*-* 03:30:00 UTC"],
      ["sticker-backup-check.timer", "Mon *-*-* 04:30:00 UTC"],
    ] as const) {
      expect(text(name)).toContain(`OnCalendar=${calendar}\n`);
      expect(text(name)).toContain("Persistent=true");
      expect(analyze("calendar", calendar).code).toBe(0);
    }
  });
});

describe("the units", () => {
  const limits: Record<string, string[]> = {
    "sticker-api.service": [
      "MemoryHigh=1.2G",
      "MemoryMax=1.6G",
      "CPUWeight=50",
      "TimeoutStopSec=15",
      "bun api/main.ts",
    ],
    "sticker-bot.service": [
      "MemoryHigh=1.45G",
      "MemoryMax=1.6G",
      "CPUWeight=50",
      "TimeoutStopSec=30",
      "KillSignal=SIGINT",
      "bun bot/main.ts",
    ],
  };
  test("hold the shared machine's limits and start bun itself", () => {
    for (const [name, lines] of Object.entries(limits))
      for (const line of lines) expect(text(name)).toContain(`${line}\n`);
    for (const name of services) expect(text(name)).toMatch(/^ExecStart=\/opt\/sticker-booth\/current\/bun \S+\.ts/m);
  });

  test("leave each process less time to stop than systemd does before it kills", () => {
    for (const [name, script] of [
      ["sticker-api.service", "api/main.ts"],
      ["sticker-bot.service", "bot/main.ts"],
    ] as const) {
      const limitMs = Number(/TimeoutStopSec=(\d+)/.exec(text(name))?.[1]) * 1000;
      const ownMs = Number(
        /STOP_WITHIN_MS = ([\d_]+)/.exec(readFileSync(join(ROOT, script), "utf8"))?.[1]?.replace("_", ""),
      );
      expect(ownMs).toBeGreaterThan(0);
      expect(ownMs).toBeLessThan(limitMs);
    }
  });

  test("keep Bun's JIT, and tell the operators when they fail; the alert alone does not", () => {
    const hardening = text("sticker-.service.d/hardening.conf");
    for (const name of services) {
      const unit = text(name) + hardening;
      expect(unit).not.toMatch(/^(MemoryDenyWriteExecute|LimitAS)=/m);
      expect([name, unit.includes("OnFailure=sticker-alert@%n.service")]).toEqual([
        name,
        name !== "sticker-alert@.service",
      ]);
    }
    for (const script of services.map((name) => /bun (\S+\.ts)/.exec(text(name))?.[1] as string))
      expect(Bun.file(join(ROOT, script)).size).toBeGreaterThan(0);
  });
});

describe.if(has("shellcheck", "shellcheck"))("shellcheck", () => {
  test("finds no fault in any script", () => {
    const scripts = ["deploy", "test/deploy"].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith(".sh"))
        .map((name) => join(folder, name)),
    );
    expect(scripts.length).toBeGreaterThan(5);
    const { stdout } = Bun.spawnSync(["shellcheck", "-x", ...scripts], { cwd: ROOT });
    expect(stdout.toString()).toBe("");
  });
});
