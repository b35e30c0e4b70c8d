/** The alert and the restore drill, as the units start them. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { tellOperators } from "../deploy/tell.ts";
import { listBackups } from "../shared/backup/list.ts";
import { readConfig } from "../shared/config.ts";
import { backupsDir } from "../shared/files.ts";
import { run, scratch } from "./deploy/booth.ts";
import { startSim } from "./sim/sim.ts";
import { World } from "./world.ts";

/** Where the drills of this file work: others' are none of its business. */
const folder = scratch("booth-drills-");
afterAll(() => folder[Symbol.dispose]());
const drill = (env: Record<string, string>) => run("drill.ts", [], { ...env, TMPDIR: folder.path });

describe("an alert", () => {
  test("says which unit failed, how, and where to look", async () => {
    await using sim = await startSim();
    const env = { ...sim.env(), MONITOR_SERVICE_RESULT: "signal", MONITOR_EXIT_STATUS: "KILL", PORT: "not a port" };
    expect((await run("alert.ts", ["sticker-bot.service"], env)).code).toBe(0);
    const [message] = sim.messages(sim.operatorsChatId);
    expect(message?.text).toContain("sticker-bot.service failed (signal, status KILL)");
    expect(message?.text).toContain("journalctl -u sticker-bot.service");
    expect(sim.violations).toEqual([]);
  });

  test("speaks the team's language; one that it does not know does not silence it", async () => {
    await using sim = await startSim();
    const ended = { MONITOR_SERVICE_RESULT: "exit-code", MONITOR_EXIT_STATUS: "78" };
    for (const TEAM_LANG of ["ru", "uz", "klingon"])
      expect((await run("alert.ts", ["sticker-api.service"], { ...sim.env(), ...ended, TEAM_LANG })).code).toBe(0);
    expect(sim.messages(sim.operatorsChatId).map(({ text }) => text?.split("\n")[0])).toEqual([
      "🔥 sticker-api.service: сбой (ошибка в настройках). Не работают киоски, /admin и приём заявок с сайта.",
      "🔥 sticker-api.service ishdan chiqdi (sozlamalarda xato). Kiosklar, /admin va saytdan soʻrovlar qabul qilish ishlamayapti.",
      "🔥 sticker-api.service failed (wrong settings). The kiosks, /admin and the landing's requests are down.",
    ]);
  });

  test("waits out a flood, an outage and a moved group, and gives up where nothing helps", async () => {
    await using sim = await startSim();
    const config = readConfig(sim.env());
    sim.fault({ target: "telegram:sendMessage", do: { status: 502 }, times: 2 });
    await tellOperators(config, "once <b>", [0, 0, 0]);
    expect(sim.messages(sim.operatorsChatId).map(({ text }) => text)).toEqual(["once <b>"]);
    const moved = sim.migrateGroup(sim.salesChatId);
    await tellOperators({ ...config, ADMIN_CHAT_ID: sim.salesChatId }, "here now", []);
    expect(sim.messages(moved).at(-1)?.text).toBe("here now");
    sim.throwsBotOut(sim.operatorsChatId);
    await expect(tellOperators(config, "nobody", [60_000])).rejects.toThrow("403");
    sim.fault({ target: "telegram:sendMessage", do: { status: 502 }, times: -1 });
    await expect(tellOperators(config, "never", [0, 0])).rejects.toThrow();
  });
});

describe("the drill", () => {
  test("restores the newest backup aside, asks the api there, reports, and leaves nothing behind", async () => {
    await using world = await World.open();
    const token = await world.visit(7001);
    await world.post(`/session/${token}/expire`);
    // The bot has said all that it says of itself and of this visit: what comes later is the drill's.
    const owed = () => world.rows("SELECT 1 FROM notices WHERE sent_at IS NULL").length;
    const announced = () => world.rows("SELECT last_ok_at FROM heartbeats WHERE loop = 'commands'")[0]?.last_ok_at;
    await world.eventually(() => announced() && owed() === 0, "a bot that owes nothing");
    await run("backup.ts", [], world.env);
    const before = world.sim.calls.length;
    const { code, out, err } = await drill({ ...world.env, TEAM_LANG: "ru" });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("answered 6 facts correctly");
    expect(world.sim.messages(world.sim.operatorsChatId).at(-1)?.text).toMatch(
      /^✅ Проверка восстановлением пройдена: копия app-\S+, сделанная 0 мин назад, .* на 6 вопросов\.$/,
    );
    expect(readdirSync(folder.path)).toEqual([]);
    // The scratch api told nobody anything; the running booth was not touched.
    const calls = world.sim.calls.slice(before).filter(({ target }) => target !== "telegram:getUpdates");
    expect(calls.map(({ target }) => target)).toEqual(["telegram:sendMessage"]);
    expect((await world.session(token)).status).toBe("expired");
  });

  test("fails, by its exit status, over a missing, truncated or untrue backup", async () => {
    await using world = await World.open({ bot: false });
    const none = await drill(world.env);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("There is no backup")]);
    await run("backup.ts", [], world.env);
    const [name = ""] = listBackups(world.dataDir);
    truncateSync(join(backupsDir(world.dataDir), name), 5000);
    const truncated = await drill(world.env);
    expect([truncated.code, truncated.err]).toEqual([1, expect.stringContaining("truncated or damaged")]);
    rmSync(join(backupsDir(world.dataDir), name));
    await run("backup.ts", [], world.env);
    // Settings with which no api would start.
    const broken = await drill({ ...world.env, ADMIN_USER: "half" });
    expect(broken.code).toBe(78);
    expect(readdirSync(folder.path)).toEqual([]);
    expect(world.sim.messages(world.sim.operatorsChatId)).toEqual([]);
  });
});
