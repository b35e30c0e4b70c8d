import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkSecrets } from "../deploy/doctor/machine.ts";
import { checkSettings } from "../deploy/doctor/settings.ts";
import { lastBackupAt, listBackups } from "../shared/backup/list.ts";
import { openDb } from "../shared/db.ts";
import { backupsDir } from "../shared/files.ts";
import { run, scratch } from "./deploy/booth.ts";
import { freshConfig } from "./fresh.ts";
import { World } from "./world.ts";

/** The doctor's word about a running booth. */
async function doctor(world: World, env: Record<string, string> = {}) {
  const { code, out, err } = await run("doctor.ts", [], { ...world.env, PUBLIC_URL: world.url, ...env });
  expect(err).toBe("");
  return { code, out, failures: out.split("\n").filter((line) => line.startsWith("FAIL")) };
}

describe("the doctor", () => {
  test("warns of settings that other users can read", () => {
    using folder = scratch();
    const env = join(folder.path, "env");
    expect(checkSecrets([env])).toEqual([]);
    writeFileSync(env, "BOT_TOKEN=1", { mode: 0o640 });
    expect(checkSecrets([env])).toMatchObject([{ state: "ok" }]);
    chmodSync(env, 0o644);
    expect(checkSecrets([env])).toMatchObject([{ state: "warn", mend: `chmod o= ${env}` }]);
  });

  test("warns of a booth that is open to the internet without a kiosk's key, and of no other", () => {
    const keyless = (PUBLIC_URL: string, env: Record<string, string> = {}) =>
      checkSettings(freshConfig({ PUBLIC_URL, ...env })).filter(({ text }) => text.includes("KIOSK_KEY"));
    const [finding, ...more] = keyless("https://booth.example");
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ state: "warn", text: expect.stringContaining("drawn for your money") });
    expect(finding?.mend).toContain("#key=");
    for (const host of ["8.8.8.8", "172.32.0.1", "100.128.0.1", "192.169.0.1", "10.example", "[2001:db8::1]"])
      expect([host, keyless(`https://${host}`).length]).toEqual([host, 1]);
    expect(keyless("https://booth.example", { KIOSK_KEY: "a-kiosk-key" })).toEqual([]);
    for (const host of [
      "localhost",
      "127.0.0.1",
      "[::1]",
      "10.0.0.7",
      "172.31.0.1",
      "192.168.1.5",
      "[fd00::1]",
      "hall.local",
    ])
      expect([host, keyless(`https://${host}:8443`)]).toEqual([host, []]);
  });

  test("a camera needs https, but at the machine itself", () => {
    const closed = (PUBLIC_URL: string) =>
      checkSettings(freshConfig({ PUBLIC_URL })).filter(({ state }) => state === "fail").length;
    expect(["http://192.168.1.5:8000", "http://booth.example", "http://localhost.example"].map(closed)).toEqual([
      1, 1, 1,
    ]);
    expect(["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"].map(closed)).toEqual([0, 0, 0]);
  });

  test("passes a booth that runs, and names what is switched off", async () => {
    await using world = await World.open();
    expect((await run("backup.ts", [], world.env)).code).toBe(0);
    await world.sim.until(async () => (await world.call("/health")).status === 200, "health", { everyMs: 100 });
    const { code, out, failures } = await doctor(world);
    expect([code, failures]).toEqual([0, []]);
    for (const thing of [
      "settings",
      "folders",
      "disk",
      "database",
      "backup",
      "telegram",
      "clock",
      "gemini",
      "openai",
      "public",
      "bot",
    ])
      expect(out).toMatch(new RegExp(`^ok    ${thing} `, "m"));
    expect(out).toContain("WARN  settings   LEADS_SECRET is not set: POST /leads answers 404 until it is");
    expect(out).toEndWith("The booth can open.\n");
    expect(out).not.toContain(world.sim.token);
    // Looking leaves no trace in any chat.
    expect(world.sim.sent("sendMessage")).toEqual([]);
    expect(world.sim.violations).toEqual([]);
  });

  test("finds each thing that keeps the booth closed, in a line of its own with a way to mend it", async () => {
    await using world = await World.open();
    const { sim } = world;
    const one = async (env: Record<string, string>, ...expected: (string | RegExp)[]) => {
      const { code, failures } = await doctor(world, env);
      expect([code, failures]).toEqual([1, expected.map((text) => expect.stringMatching(text))]);
      for (const line of failures) expect(line).toMatch(/^FAIL {2}\S+ .+: .+/);
    };
    await world.sim.until(async () => (await world.call("/health")).status === 200, "health", { everyMs: 100 });

    await one({ BOT_TOKEN: "no", PACK_LIMIT: "-1" }, "BOT_TOKEN must be", "PACK_LIMIT is");
    await one({ BOT_TOKEN: `${sim.token.slice(0, -3)}abc` }, "copy BOT_TOKEN anew");
    await one({ BOT_USERNAME: "other_booth_bot" }, "BOT_USERNAME is other_booth_bot");
    await one({ TELEGRAM_API_ROOT: "http://127.0.0.1:9" }, "does not answer");
    await one({ PUBLIC_URL: "https://booth.invalid" }, "nothing answers at");
    const early = await doctor(world, { PUBLIC_URL: "http://127.0.0.1:9" });
    expect([early.code, early.failures]).toEqual([0, []]);
    expect(early.out).toContain("WARN  public     nothing answers at http://127.0.0.1:9 yet: start it");
    await one({ PUBLIC_URL: sim.root }, "not as the booth");
    await one({ ADMIN_CHAT_ID: "-1009999" }, "ADMIN_CHAT_ID cannot be reached");
    await one({ GEMINI_API_KEY: "", OPENAI_API_KEY: "" }, "set GEMINI_API_KEY", "set OPENAI_API_KEY");

    sim.throwsBotOut(sim.salesChatId);
    await one({}, "LEADS_CHAT_ID cannot be reached");
    sim.invitesBot(sim.salesChatId);
    // Told only: one that stands would end the bot's poll, and the bot would take it away.
    const told = { ok: true, result: { url: "https://elsewhere.example/hook" } };
    sim.fault({ target: "telegram:getWebhookInfo", do: { status: 200, body: told } });
    await one({}, "a webhook is set");
    sim.skewClock(-3_600_000);
    await one({}, /(3599|360[01]) s ahead of Telegram's: switch time synchronisation on/);
    sim.skewClock(0);
    sim.fault({ target: "gemini:models", do: { status: 403 } });
    const fallback = await doctor(world);
    expect(fallback.out).toContain("WARN  gemini     refuses the key");
    expect(fallback.failures).toEqual([]);
    // A proxy in between may know how to draw and no list of models; the provider's own word is believed.
    const asked = { AI_PROVIDERS: "gemini" };
    sim.fault({ target: "gemini:models", do: { html: "<h1>Not Found</h1>", status: 404 } });
    const proxied = await doctor(world, asked);
    expect([proxied.code, proxied.failures]).toEqual([0, []]);
    expect(proxied.out).toContain("WARN  gemini     does not tell which models it has");
    sim.fault({ target: "gemini:models", do: { status: 404, body: { error: { code: 404, status: "NOT_FOUND" } } } });
    await one(asked, "knows no model");

    // A group that has grown into a supergroup is followed by the bot, and then by the doctor: not while the bot is away.
    await world.bot?.end();
    sim.migrateGroup(sim.salesChatId);
    await one({}, "LEADS_CHAT_ID cannot be reached");
    // Without the bot its loops are late within half a minute; a booth that never had one is closed at once.
    const never = await World.open({ bot: false });
    const { failures } = await doctor(never);
    expect(failures).toEqual([expect.stringContaining("has never polled Telegram: `systemctl status sticker-bot`")]);
    await never[Symbol.asyncDispose]();
  });

  test("judges database, backups and folders of a booth that does not run", async () => {
    await using world = await World.open({ api: false, bot: false });
    const { dataDir } = world;
    const about = async (thing: string) =>
      (await run("doctor.ts", [], world.env)).out.split("\n").filter((line) => line.slice(6).startsWith(thing));
    expect(await about("database")).toEqual([expect.stringMatching(/^WARN.*there is none yet/)]);
    expect(await about("backup")).toEqual([expect.stringMatching(/^WARN.*booth backup.*bun run backup/)]);
    openDb(dataDir).close(false);
    expect(await about("database")).toEqual([expect.stringMatching(/^ok .*sound, schema \d+, \d+ rows/)]);
    await run("backup.ts", [], world.env);
    const [name = ""] = listBackups(dataDir);
    const backup = join(backupsDir(dataDir), name);
    expect(await about("backup")).toEqual([expect.stringMatching(/^ok .*can be restored/)]);
    utimesSync(backup, 0, Date.now() / 1000 - 30 * 3600);
    expect(lastBackupAt(dataDir)).toBeLessThan(Date.now() - 29 * 3_600_000);
    expect(await about("backup")).toEqual([
      expect.stringMatching(/^FAIL.*older than 26 hours: run `booth backup` on the server/),
    ]);
    writeFileSync(backup, "nothing of a backup");
    expect(await about("backup")).toEqual([
      expect.stringMatching(/^FAIL.*not a backup of the booth.*: use another one/),
    ]);
    rmSync(backup);

    chmodSync(dataDir, 0o755);
    expect(await about("folders")).toEqual([expect.stringMatching(/^ok .*mended just now/)]);
    const live = join(dataDir, "app.db");
    renameSync(live, `${live}.away`);
    for (const tail of ["-wal", "-shm"]) rmSync(live + tail, { force: true });
    writeFileSync(live, "scribbled over ".repeat(1000));
    expect(await about("database")).toEqual([expect.stringMatching(/^FAIL.*docs\/RUNBOOK.md/)]);
    rmSync(live);
    writeFileSync(join(dataDir, "blocked"), "");
    const blocked = (await run("doctor.ts", [], { ...world.env, DATA_DIR: join(dataDir, "blocked", "data") })).out;
    expect(blocked).toMatch(/^FAIL {2}folders .*cannot be written by this user.*: give this user the folder/m);
    expect(existsSync(join(dataDir, ".doctor"))).toBe(false);
  });
});
