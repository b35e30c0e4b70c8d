import { expect, test } from "bun:test";
import { card, openDesk, store, TEST_MS, withDb } from "./leads-world.ts";
import { midday } from "./zones.ts";

/** Each makes one step throw at its first write, in the running bot. */
const breakers: Record<string, string> = {
  outbox: "BEFORE UPDATE OF publish_failures ON leads WHEN NEW.publish_failures > 0",
  "lead-reminders": "BEFORE UPDATE OF reminders ON leads WHEN NEW.reminders > 0",
  "lead-digest": "BEFORE INSERT ON settings WHEN NEW.name = 'leads_digest_on'",
  "lead-retention": "BEFORE UPDATE OF erased_at ON leads",
};

test(
  "every step throws: the bot lives, health says which, and all of it goes on once the cause is gone",
  async () => {
    await using world = await openDesk({
      bot: false,
      env: { TZ_NAME: midday(), DIGEST_HOUR: "0", LEADS_REMIND_MINUTES: "1", LEADS_RETENTION_DAYS: "30" },
    });
    const ago = Date.now() - 3 * 3_600_000;
    const [waiting, ancient] = withDb(world, (db) => {
      const numbers = [store(db, {}, ago), store(db, { name: "Ancient" }, ago - 31 * 86_400_000)];
      db.query("UPDATE leads SET published_at = ?, next_publish_at = ?").run(ago, ago);
      for (const [name, when] of Object.entries(breakers))
        db.run(`CREATE TRIGGER "break ${name}" ${when} BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END`);
      return numbers;
    });
    await world.startBot();
    const fresh = withDb(world, (db) => store(db));
    const beats = () =>
      world.rows("SELECT loop, failures, last_error FROM heartbeats WHERE failures > 0 ORDER BY loop");
    await world.eventually(() => beats().length === Object.keys(breakers).length, "every step's failure");
    expect(beats().map((b) => b.loop)).toEqual(Object.keys(breakers).sort((a, b) => (a < b ? -1 : 1)));
    for (const { last_error } of beats()) expect(last_error).toContain("broken on purpose");
    expect((await world.call("/health")).body.status).toBe("degraded");
    // Nothing was sent that could not be marked, and guests are served all the same.
    expect(world.sim.messages(world.sim.salesChatId)).toEqual([]);
    world.sim.guestSays(7401, "/help", { lang: "en" });
    await world.sim.until(() => world.sim.messages(7401).length > 1, "help for a guest");
    expect(world.bot?.process.exitCode).toBeNull();

    withDb(world, (db) => {
      for (const name of Object.keys(breakers)) db.run(`DROP TRIGGER "break ${name}"`);
    });
    await card(world, fresh);
    // The steps of a minute are asked again by a restart, sooner than their pauses end.
    await world.bot?.end();
    await world.startBot();
    const texts = () => world.sim.messages(world.sim.salesChatId).map((m) => m.text ?? "");
    await world.sim.until(() => texts().some((t) => t.includes("Nobody has taken")), "the reminder");
    await world.sim.until(() => texts().some((t) => t.startsWith("☀️")), "the digest");
    await world.eventually(
      () => world.rows("SELECT erased_at FROM leads WHERE number = ?", ancient as number)[0].erased_at,
      "the retention",
    );
    expect(texts().join()).toContain(`/lead_${waiting}`);
    await world.eventually(async () => (await world.call("/health")).body.status === "ok", "health");
  },
  TEST_MS,
);
