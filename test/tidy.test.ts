/** The rules of the house, as a failing test. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dir, "..");
const MAX_LINES = 260;
const FOLDERS = ["api", "bot", "shared", "kiosk", "landing", "deploy", "test"];
const PRODUCT = FOLDERS.filter((folder) => folder !== "test");

type Source = { path: string; folder: string; text: string; lines: string[] };

const sources: Source[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.parentPath.includes("node_modules"))
    .filter((entry) => entry.isFile() && /\.(ts|js|css|html|sh|sql)$/.test(entry.name))
    .map((entry) => {
      const path = relative(ROOT, join(entry.parentPath, entry.name));
      const text = readFileSync(join(ROOT, path), "utf8");
      return { path, folder, text, lines: text.split("\n") };
    }),
);
const code = sources.filter(({ path }) => /\.(ts|js)$/.test(path));
const inFolder = (...folders: string[]) => code.filter(({ folder }) => folders.includes(folder));

/** Where the relative imports of a file lead, from the root. */
const importsOf = ({ path, text }: Source) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"|new URL\("(\.[^"]+)"/g)].map((m) =>
    relative(ROOT, join(ROOT, dirname(path), m[1] ?? m[2] ?? "")),
  );

const found = (files: Source[], pattern: RegExp) =>
  files.flatMap(({ path, lines }) =>
    lines.flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  );

test("the walk finds what it should judge", () => {
  for (const folder of ["api", "bot", "shared", "kiosk", "landing", "test"])
    expect(inFolder(folder).length).toBeGreaterThan(5);
  expect(
    importsOf({ path: "api/app.ts", folder: "api", lines: [], text: 'import { a } from "../shared/b.ts";' }),
  ).toEqual(["shared/b.ts"]);
});

test("api and bot never import each other, shared imports neither, landing imports nothing of the rest", () => {
  const forbidden: Record<string, RegExp> = {
    api: /^(bot|landing|deploy|test)\//,
    bot: /^(api|landing|deploy|test)\//,
    shared: /^(api|bot|kiosk|landing|deploy|test)\//,
    kiosk: /^(?!kiosk\/)/,
    landing: /^(?!landing\/|package\.json)/,
  };
  const wrong = Object.entries(forbidden).flatMap(([folder, pattern]) =>
    inFolder(folder).flatMap((file) =>
      importsOf(file)
        .filter((to) => pattern.test(to) && to !== "kiosk" && to !== "bot/studio/cutter/thread.ts")
        .map((to) => `${file.path} → ${to}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test("SQL stands in shared/ alone", () => {
  const sql =
    /\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|PRAGMA\s+\w+|VACUUM)\b|\bdb\.(query|run|prepare|exec)\(/;
  expect(found(inFolder("api", "bot", "kiosk", "landing"), sql)).toEqual([]);
});

test("nobody opens the database by the file API", () => {
  expect(found(inFolder("api", "bot"), /app\.db/)).toEqual([]);
});

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = sources.filter(({ folder, lines }) => PRODUCT.includes(folder) && lines.length - 1 > MAX_LINES);
  expect(long.map(({ path, lines }) => `${path} ${lines.length - 1}`)).toEqual([]);
});

test("types are never talked out of, and nothing is put off", () => {
  const marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|");
  const product = code.filter(({ folder }) => PRODUCT.includes(folder));
  expect(
    found(product, /(:|<|as|\|)\s*any\b(?!\s+(?:other|of|kind))[\s,;)>\]=[]/).filter(
      (line) => !/\s\/?\*|\/\//.test(line),
    ),
  ).toEqual([]);
  expect(found(code, /@ts-(ignore|expect-error|nocheck)/).filter((line) => !line.startsWith("test/tidy"))).toEqual([]);
  expect(found(sources, new RegExp(`\\b(${marks})\\b`))).toEqual([]);
  expect(found(code, /\b(test|it|describe)\.(only|todo)\(/)).toEqual([]);
});

test("no test waits for a promise of the page, which Playwright takes for a yes", () => {
  expect(found(inFolder("test"), /waitForFunction\(async/)).toEqual([]);
});

test("every file of api, bot and shared begins by saying what it is", () => {
  const excused = /^shared\/texts\/(ru|uz|en)\.ts$|\/offline\/outfits\/|\.d\.ts$/;
  const silent = inFolder("api", "bot", "shared").filter(({ text }) => !/^(#!.*\n)?(\/\*\*|\/\/)/.test(text));
  expect(silent.map(({ path }) => path).filter((path) => !excused.test(path))).toEqual([]);
});

test("main.ts is a table of contents", () => {
  for (const folder of ["api", "bot"]) {
    const main = sources.find(({ path }) => path === `${folder}/main.ts`);
    expect(main?.lines.length ?? 999).toBeLessThanOrEqual(150);
  }
});

test("the kiosk's page tells the version that is released", async () => {
  const { version } = await Bun.file(join(ROOT, "package.json")).json();
  const page = sources.find(({ path }) => path === "kiosk/index.html")?.text ?? "";
  expect(/<meta name="version" content="([^"]+)">/.exec(page)?.[1]).toBe(version);
});
