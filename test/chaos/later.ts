/** A day or some years later: what had its time is gone, and the sales people hear each morning what there is to hear. */
import { openStatuses } from "../../shared/status.ts";
import type { Booth } from "./booth.ts";
import { TOLD_OF_A_LEAD } from "./check-leads.ts";
import { unexplained } from "./incidents.ts";
import { onlyAt } from "./levers.ts";
import { salesChat } from "./people.ts";
import type { After } from "./plan.ts";
import type { Place } from "./tally.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than photos and leads are kept. */
const AGES_MS = { day: 25 * HOUR_MS, years: 800 * DAY_MS };
const WAIT_MS = 30_000;
/** However much comes to pass meanwhile. */
const WAIT_IN_ALL_MS = 240_000;
const CALM_MS = 500;
const LOOK_MS = 30;
const OPEN = JSON.stringify(openStatuses);

const always = {
  "visits are open": `SELECT token FROM sessions WHERE status IN (SELECT value FROM json_each('${OPEN}'))`,
};
/** What is still to be seen when that time has passed: a sentence, and the rows that keep it from being so. */
const left: Record<After["comes"], Record<string, string>> = {
  day: {
    ...always,
    "promises wait": "SELECT id FROM notices WHERE sent_at IS NULL",
    "there was no digest":
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM leads) AND NOT EXISTS (SELECT 1 FROM notices WHERE once LIKE 'digest:%')",
    "nobody was reminded of leads": "SELECT number FROM leads WHERE status = 'new' AND reminders = 0",
  },
  years: {
    ...always,
    "leads are still known":
      "SELECT number FROM leads WHERE name IS NOT NULL OR contact IS NOT NULL OR comment IS NOT NULL",
    "cards are not up to date": "SELECT number FROM lead_cards WHERE stale = 1",
  },
};

/**
 * Time passes over a booth whose processes are stopped, and its bot starts again. No api: whatever is said comes from loops.
 * @param missed deaths at places to which nobody came in the evening
 */
export async function later(booth: Booth, { comes, nth, point }: After, missed: readonly Place[]): Promise<string[]> {
  const { levers, bot } = booth;
  // Files are as old as the machine's clock says, which no lever sets. Nobody is reminded at night: where it is midnight
  // here, it is noon at the booth.
  const ageMs = AGES_MS[comes] + Math.max(0, Date.now() - booth.now());
  levers.passTime(Math.ceil((booth.now() + ageMs) / DAY_MS) * DAY_MS + HOUR_MS / 2 - booth.now());
  Object.assign(booth.env, { DIGEST_HOUR: "0", LEADS_REMIND_MINUTES: "60" });
  for (const { site, point } of missed.filter(({ who }) => who === "bot"))
    levers.dieAtCommit("bot", 1, point, onlyAt(site));
  if (missed.length === 0) levers.dieAtCommit("bot", nth, point);
  bot.start();
  const wrong = (): string[] => [
    ...Object.entries(left[comes]).flatMap(([what, sql]) => {
      const rows = booth.rows(sql);
      return rows.length > 0 ? [`${comes} later ${what}: ${JSON.stringify(rows)}`] : [];
    }),
    ...booth.files().map((file) => `a file outlived its time: ${file}`),
  ];
  let before = "";
  const end = Date.now() + WAIT_IN_ALL_MS;
  let [calm, until] = [Date.now(), 0];
  const isOver = () => {
    const left = wrong().join();
    // Each thing that comes to pass gives the others their time anew.
    if (left !== before) [calm, until] = [Date.now(), Math.min(end, Date.now() + WAIT_MS)];
    before = left;
    // A group is edited seldom, by the clock.
    if (Date.now() - calm > CALM_MS) {
      levers.passTime(CALM_MS * 12);
      calm = Date.now();
    }
    return left === "" || Date.now() > until;
  };
  while (!isOver()) await Bun.sleep(LOOK_MS);
  levers.disarm("bot");
  await bot.up();
  return [...wrong(), ...checkDigest(booth), ...(comes === "years" ? checkForgotten(booth) : [])];
}

/** The digest of a day is sent once. */
function checkDigest(booth: Booth): string[] {
  const digests: { once: string; payload: string }[] = booth.rows(
    "SELECT n.once, p.payload FROM notices n JOIN chaos_promises p USING (id) WHERE n.once LIKE 'digest:%' AND n.sent_at IS NOT NULL",
  );
  return digests.flatMap(({ once, payload }) => {
    const { text } = JSON.parse(payload);
    const calls = booth.sim.sent("sendMessage").filter(({ params }) => params.text === text);
    if (calls.length === 0) return [`${once} is noted as sent, and nobody sent it`];
    return unexplained(booth, calls) > 0 ? [`${once} was sent ${calls.length} times`] : [];
  });
}

/** Cards of leads that were forgotten name nobody. */
function checkForgotten(booth: Booth): string[] {
  const cards = booth.rows("SELECT message_id FROM lead_cards WHERE chat_id = ?", salesChat(booth));
  const known = new Set(cards.map(({ message_id }: { message_id: number }) => message_id));
  return booth.sim
    .messages(salesChat(booth))
    .filter(({ message_id, text }) => known.has(message_id) && TOLD_OF_A_LEAD.some((part) => text?.includes(part)))
    .map(({ text }) => `a lead was forgotten, and its card says: ${text?.split("\n")[0]}`);
}
