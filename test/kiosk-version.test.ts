/** The digest of all kiosk files by which tablets notice a new version. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { staticFiles } from "../api/files.ts";
import { World } from "./world.ts";

test("the api's version of the shell is another one as soon as a file is changed, added or moved", () => {
  const folder = mkdtempSync(join(tmpdir(), "shell-"));
  const versions = new Set<string>();
  const step = (does: () => void) => {
    does();
    const { version } = staticFiles(folder);
    expect(version).toMatch(/^[\w-]{22}$/);
    expect(staticFiles(folder).version).toBe(version);
    return versions.add(version).size;
  };
  const at = (name: string) => join(folder, name);
  try {
    expect(step(() => writeFileSync(at("index.html"), "a"))).toBe(1);
    expect(step(() => writeFileSync(at("index.html"), "b"))).toBe(2);
    expect(step(() => writeFileSync(at("sw.js"), "a"))).toBe(3);
    expect(step(() => rmSync(at("sw.js")))).toBe(3);
    expect(step(() => writeFileSync(at("other.js"), "a"))).toBe(4);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the api tells the version to a worker, which has no key", async () => {
  await using world = await World.open({ bot: false, env: { KIOSK_KEY: "a key of the hall" } });
  const { status, headers, body } = await world.call("/shell-version");
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(String(body)).toMatch(/^[\w-]{22}$/);
});
