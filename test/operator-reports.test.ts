/** Answers in the operators' chat stay such that Telegram takes them, whatever the booth is full of. */
import { expect, test } from "bun:test";
import { jobsReport, statusReport } from "../bot/operator-reports.ts";
import { nowOf } from "../shared/admin/now.ts";
import { packProblems } from "../shared/admin/pack-problems.ts";
import { beat, heartbeats } from "../shared/heartbeats.ts";
import { noteKiosk } from "../shared/kiosks.ts";
import { createSession } from "../shared/sessions.ts";
import { langs } from "../shared/status.ts";
import { freshConfig, freshDb, NOON, ttl, visitInQueue } from "./fresh.ts";

const TELEGRAMS_LIMIT = 4096;
const plain = (html: string) => html.replace(/<[^>]*>/g, "");

test("/status of fifty kiosks and ten broken loops fits into one message, the worst on top, markup whole", () => {
  for (const TEAM_LANG of langs) {
    using fresh = freshDb();
    const { db } = fresh;
    const config = { ...freshConfig({ TEAM_LANG }), DATA_DIR: fresh.dataDir };
    visitInQueue(db, 7001, NOON);
    beat(db, "poll", 1_000, NOON);
    const failing = heartbeats(db, () => NOON - 600_000);
    for (let i = 10; i < 60; i++) noteKiosk(db, { kiosk: `${"k".repeat(62)}${i}`, camera: "blocked" }, NOON);
    for (let i = 0; i < 10; i++)
      failing.failed(
        { name: `loop-${i}`, everyMs: 1_000, failures: 3 },
        new Error(`disk & <fire> ${"x".repeat(2_000)}`),
      );
    const { text } = statusReport({ db, config, now: () => NOON });
    expect(plain(text).length).toBeLessThan(TELEGRAMS_LIMIT);
    expect(text).toStartWith("🔴 <b>");
    expect(text.split("<b>").length).toBe(text.split("</b>").length);
  }
});

test("/status lists a few of many kiosks and says how many more", () => {
  using fresh = freshDb();
  const config = { ...freshConfig(), DATA_DIR: fresh.dataDir };
  for (let i = 10; i < 30; i++) noteKiosk(fresh.db, { kiosk: `hall-${i}` }, NOON);
  const { text } = statusReport({ db: fresh.db, config, now: () => NOON });
  expect(text).toMatch(/hall-21 \(0 s\), … and 8 more$/m);
});

test("/jobs counts all packs, also those that it has no room for", () => {
  using fresh = freshDb();
  const config = { ...freshConfig(), DATA_DIR: fresh.dataDir };
  for (let i = 0; i < 120; i++) visitInQueue(fresh.db, 7001 + i, NOON);
  const { text } = jobsReport({ db: fresh.db, config, now: () => NOON });
  expect(text).toContain("<b>Being made: 120</b>");
  expect(text).toMatch(/^… and 105 more$/m);
});

test("guests at the kiosks are all counted, though the latest alone are named", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const config = { ...freshConfig(), DATA_DIR: fresh.dataDir };
  for (let i = 0; i < 70; i++) createSession(db, { kiosk: "a", lang: "en", ttl, now: NOON + i });
  db.run("UPDATE sessions SET status = 'linked' WHERE rowid <= 15");
  expect(statusReport({ db, config, now: () => NOON + 70 }).text).toContain("At the kiosk: 70 guests");
  const { visits, visiting } = nowOf(db, config, NOON + 70);
  // Who has a name comes before the codes that nobody has scanned.
  expect(visits.filter(({ status }) => status === "linked").length).toBe(15);
  expect([visits.length, visiting]).toEqual([50, { created: 55, linked: 15, consented: 0, template_chosen: 0 }]);
});

test("packs that wait for one thing are all counted, also more than the page lists", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const config = { ...freshConfig(), DATA_DIR: fresh.dataDir };
  for (let i = 0; i < 120; i++) visitInQueue(db, 7001 + i, NOON);
  db.run("UPDATE jobs SET selfie_check = '{}', rounds = 1, not_before = ?", [NOON + 60_000]);
  const [waits] = packProblems(nowOf(db, config, NOON), config, "en");
  expect(waits?.what).toContain("120 packs");
});

test("/status and /jobs say how many troubles and failed packs they have no room for", () => {
  using fresh = freshDb();
  const { db } = fresh;
  const config = { ...freshConfig(), DATA_DIR: fresh.dataDir };
  beat(db, "poll", 1_000, NOON);
  const failing = heartbeats(db, () => NOON);
  for (let i = 0; i < 10; i++) failing.failed({ name: `loop-${i}`, everyMs: 1_000, failures: 3 }, new Error("no"));
  expect(statusReport({ db, config, now: () => NOON }).text).toMatch(/^… and 5 more$/m);
  for (let i = 0; i < 13; i++) visitInQueue(db, 7001 + i, NOON);
  db.run("UPDATE jobs SET status = 'failed', problem = 'providers_down', finished_at = ?", [NOON]);
  expect(jobsReport({ db, config, now: () => NOON }).text).toMatch(/^… and 3 more$/m);
});
