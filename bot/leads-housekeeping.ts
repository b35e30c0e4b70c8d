/** What time does to leads, a loop each, so that one that fails stops no other. */
import { leadsChat } from "../shared/leads/group.ts";
import { sweepVisits } from "../shared/leads/intake.ts";
import { eraseOldLeads, hasLeadsBefore, onceADay, remind } from "../shared/leads/upkeep.ts";
import { sweepLockouts } from "../shared/lockout.ts";
import { notify } from "../shared/notices.ts";
import { instantOf, localTime } from "../shared/time.ts";
import type { BotContext } from "./context.ts";
import { digest, reminder } from "./lead-reports.ts";

/** Local hours in which a reminder makes no sound. */
const QUIET_FROM_HOUR = 22;
const QUIET_UNTIL_HOUR = 8;
const DAY_MS = 86_400_000;

export function remindOfLeads({ db, config, now, log, wake }: BotContext) {
  const chatId = leadsChat(db, config);
  const { hour } = localTime(now(), config.TZ_NAME);
  if (chatId === null) return;
  const silent = hour >= QUIET_FROM_HOUR || hour < QUIET_UNTIL_HOUR;
  const count = remind(db, config, now(), (leads) => {
    for (const text of reminder(leads, now(), config.TEAM_LANG)) notify(db, { chatId, text, silent, now: now() });
  });
  if (count === 0) return;
  log.info({ count }, "the group was reminded of leads");
  wake();
}

export function sendDigest({ db, config, now, log, wake }: BotContext) {
  const chatId = leadsChat(db, config);
  const { date, hour } = localTime(now(), config.TZ_NAME);
  if (chatId === null || hour < config.DIGEST_HOUR) return;
  // On the day of the very first request there is no yesterday to report, and its card has just come.
  if (!hasLeadsBefore(db, instantOf(date, 0, config.TZ_NAME))) return;
  const sent = onceADay(db, date, now(), () => {
    digest(db, config.TZ_NAME, now(), config.TEAM_LANG).forEach((text, i) => {
      notify(db, { chatId, text, once: `digest:${date}:${i}`, now: now() });
    });
  });
  if (!sent) return;
  log.info({ date }, "the digest was sent");
  wake();
}

export function forgetLeads({ db, config, now, log, wake }: BotContext): "again" | undefined {
  sweepVisits(db, now());
  sweepLockouts(db, now());
  const count = eraseOldLeads(db, now() - config.LEADS_RETENTION_DAYS * DAY_MS, now());
  if (count === 0) return;
  log.info({ count }, "contact data was erased");
  wake();
  return "again";
}
