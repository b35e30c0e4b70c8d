/** What the papers say for the night: every alert has its row, and every command in them is one that there is. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { en } from "../shared/texts/operators/en.ts";
import { sales } from "../shared/texts/sales/index.ts";
import { ROOT } from "./deploy/booth.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The first column of the runbook's tables: alternatives by " / ", "…" for what differs. */
const rows = read("docs/RUNBOOK.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| alert "))
  .flatMap((line) => line.split(" | ")[0]?.replace(/^\| /, "").split(" / ") ?? [])
  .map((text) => text.replaceAll("`", "").replace(/ \(on the page alone\)$/, ""))
  .map((text) => new RegExp(text.split("…").map(RegExp.escape).join("[\\s\\S]*"), "i"));

type Speaks = (...words: unknown[]) => unknown;
/** What a sentence may be made of, whichever way it takes it. */
const some = Object.assign(new String("12"), { pack: 7, guest: "Ann", tries: "attempt 3", age: "20 min" });
const samples: Record<string, unknown[][]> = {
  loop: [
    ["outbox", null],
    ["outbox", "an error"],
  ],
  waiting: ["telegram", "artist", "retry"].flatMap((what) => [
    [what, 1, some],
    [what, 2, some],
  ]),
  slow: [
    [1, some],
    [2, some],
  ],
  chatPhotos: [[1], [2]],
  messages: [
    [1, some],
    [2, some],
  ],
  leads: [
    [1, some, true],
    [2, some, false],
  ],
  backup: [[null], [some]],
};

/** Every state that is told when it begins and when it is over. */
function troubles(texts: object): string[] {
  return Object.entries(texts).flatMap(([name, value]) => {
    if (name === "names") return [];
    const said =
      typeof value === "function"
        ? (samples[name] ?? [[some, some, some]]).map((words) => (value as Speaks)(...words))
        : [value];
    return said.flatMap((made) => {
      if (typeof made !== "object" || made === null) return [];
      const { what, ending } = made as { what?: unknown; ending?: unknown };
      if (typeof what === "string") return typeof ending === "string" ? [what] : [];
      return troubles(made);
    });
  });
}

/** What is told of by itself; the rest of these texts are parts of such sentences, or good news. */
const parts = ["retry", "together", "packsAgain", "answersAgain", "notYet", "pack", "kiosk", "remedy", "flows"];
const events = (texts: object) =>
  Object.entries(texts)
    .filter(([name]) => !parts.includes(name))
    .map(([, value]) =>
      String(typeof value === "function" ? (value as Speaks)("Pack 7", "Pack 7", "why", "so") : value),
    );

describe("the runbook", () => {
  test("has a row for every alert", () => {
    const units = Object.keys(en.machine.meanings).map((unit) => en.machine.unitFailed(unit, null, null));
    const alerts = [...troubles(en.booth), ...events(en.alerts), ...events(sales("en").alerts), ...units];
    expect(alerts.length).toBeGreaterThan(40);
    expect(alerts.filter((alert) => !rows.some((row) => row.test(alert)))).toEqual([]);
  });

  test("has no row for an alert that there is not", () => {
    const units = Object.keys(en.machine.meanings).flatMap((unit) =>
      [null, en.machine.wrongSettings].map((how) => en.machine.unitFailed(unit, how, null)),
    );
    const alerts = [...troubles(en.booth), ...events(en.alerts), ...events(sales("en").alerts), ...units];
    expect(rows.filter((row) => !alerts.some((alert) => row.test(alert))).map(String)).toEqual([]);
  });
});

describe("the commands in the papers", () => {
  const papers = ["README.md", "docs/OPERATIONS.md", "docs/RUNBOOK.md", "docs/SECURITY.md", "docs/PRIVACY.md"];
  const all = papers.map(read).join("\n");
  test("name scripts that there are", () => {
    const scripts = [...all.matchAll(/\bdeploy\/[a-z-]+\.(?:sh|ts)\b/g)].map(([path]) => path);
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const { scripts: known } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(
      [...all.matchAll(/\bbun run ([a-z:]+)/g)].map(([, name = ""]) => name).filter((name) => !known[name]),
    ).toEqual([]);
  });

  test("use only words that `booth` knows", () => {
    const known = [...read("deploy/booth.sh").matchAll(/^([a-z]+)\)/gm)].map(([, word]) => word);
    const used = [...all.matchAll(/(?:`|^ {4}|&& )booth ([a-z]+)/gm)].map(([, word]) => word);
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((word) => !known.includes(word))).toEqual([]);
  });

  test("the settings named are settings", () => {
    const known = read(".env.example");
    const named = [...all.matchAll(/`([A-Z][A-Z0-9]+_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.includes(`${name}=`))).toEqual([]);
  });
});
