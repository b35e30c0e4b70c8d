/** What is wrong around the booth: messages and leads that wait, disk, backups. */
import { BACKUP_MAX_AGE_MS } from "../backups.ts";
import type { Config } from "../config.ts";
import type { Heartbeat } from "../heartbeats.ts";
import type { Now } from "./now.ts";
import type { Problem } from "./problems.ts";
import { minutes } from "./words.ts";

/** The bot leaves a sign at least every half minute; after this nobody hears the guests. */
export const DEAF_AFTER_MS = 90_000;
const NOTICES_LATE_MS = 2 * 60_000;
const LEADS_LATE_MS = 5 * 60_000;
const DISK_AMBER_BYTES = 2 * 1024 ** 3;
const DISK_RED_BYTES = 500 * 1024 ** 2;

/** Has Telegram not answered for long? */
export const isDeaf = (poll: Heartbeat | null, at: number) => !poll?.last_ok_at || at - poll.last_ok_at > DEAF_AFTER_MS;

export function outboxProblems({ outbox, at, poll }: Now, { LEADS_CHAT_ID }: Pick<Config, "LEADS_CHAT_ID">): Problem[] {
  const found: Problem[] = [];
  if (!isDeaf(poll, at) && (outbox.oldestNoticeMs ?? 0) > NOTICES_LATE_MS) {
    found.push({
      cause: "notices",
      level: "amber",
      what: `${outbox.notices} messages wait for Telegram, the first for ${minutes(outbox.oldestNoticeMs ?? 0)}.`,
      todo: "They are tried again by themselves. If it stays, look at the bot's log.",
    });
  }
  if ((outbox.oldestLeadMs ?? 0) > LEADS_LATE_MS) {
    found.push({
      cause: "leads",
      level: "amber",
      what: `${outbox.leads} ${outbox.leads === 1 ? "lead waits" : "leads wait"} for the sales group, the first for ${minutes(outbox.oldestLeadMs ?? 0)}.`,
      todo: LEADS_CHAT_ID
        ? "They are safe and listed under Leads. Check that the bot may write in the sales group."
        : "They are safe and listed under Leads. Set LEADS_CHAT_ID on the server to send them to a group.",
    });
  }
  return found;
}

export function machineProblems({ diskFreeBytes, lastBackupAt, firstVisitAt, at }: Now): Problem[] {
  const found: Problem[] = [];
  if (diskFreeBytes !== null && diskFreeBytes < DISK_AMBER_BYTES) {
    const megabytes = Math.round(diskFreeBytes / 1024 ** 2);
    found.push({
      cause: "disk",
      level: diskFreeBytes < DISK_RED_BYTES ? "red" : "amber",
      what: `The server's disk is nearly full: ${megabytes} MB are left.`,
      todo: "Make room on the server; photos cannot be stored without it.",
      ending: "The server's disk has room again.",
    });
  }
  const age = at - (lastBackupAt ?? firstVisitAt ?? at);
  if (age > BACKUP_MAX_AGE_MS) {
    found.push({
      cause: "backup",
      level: "amber",
      what: lastBackupAt ? `The last backup is ${minutes(age)} old.` : "There is no backup yet.",
      todo: "Look at sticker-backup on the server, or run: bun run backup.",
      ending: "There is a fresh backup again.",
    });
  }
  return found;
}
