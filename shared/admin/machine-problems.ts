/** What is wrong around the booth: messages and leads that wait, disk, backups. */
import { BACKUP_MAX_AGE_MS } from "../backup/list.ts";
import type { Config } from "../config.ts";
import type { Heartbeat } from "../heartbeats.ts";
import type { Lang } from "../status.ts";
import { team } from "../texts/operators/index.ts";
import type { Trouble } from "../texts/operators/types.ts";
import type { Now } from "./now.ts";
import type { Problem } from "./problems.ts";
import { minutes } from "./words.ts";

/** The bot leaves a sign at least every half minute; after this nobody hears the guests. */
export const DEAF_AFTER_MS = 90_000;
const NOTICES_LATE_MS = 2 * 60_000;
/** Tried in vain so often, a message is told of before it is late. */
const VAIN_TRIES = 2;
const LEADS_LATE_MS = 5 * 60_000;
/** As the page writes sizes, and the makers of disks. */
const MB = 1_000_000;
const DISK_AMBER_BYTES = 2_000 * MB;
const DISK_RED_BYTES = 500 * MB;

/** Has Telegram not answered for long? */
export const isDeaf = (poll: Heartbeat | null, at: number) => !poll?.last_ok_at || at - poll.last_ok_at > DEAF_AFTER_MS;

export function outboxProblems(
  { outbox, stuckPhotos, at, poll }: Now,
  { LEADS_CHAT_ID }: Pick<Config, "LEADS_CHAT_ID">,
  lang: Lang,
): Problem[] {
  const texts = team(lang).booth;
  const found: Problem[] = [];
  /** Of these the page alone tells. */
  const add = (cause: string, { what, todo }: Trouble) => found.push({ cause, level: "amber", what, todo });
  const { notices, oldestNoticeMs, noticeTries, leads, oldestLeadMs } = outbox;
  const late = (oldestNoticeMs ?? 0) > NOTICES_LATE_MS || noticeTries >= VAIN_TRIES;
  if (!isDeaf(poll, at) && late) add("notices", texts.messages(notices, minutes(oldestNoticeMs ?? 0, lang)));
  if (stuckPhotos > 0) add("photos", texts.chatPhotos(stuckPhotos));
  if ((oldestLeadMs ?? 0) > LEADS_LATE_MS)
    add("leads", texts.leads(leads, minutes(oldestLeadMs ?? 0, lang), LEADS_CHAT_ID !== undefined));
  return found;
}

export function machineProblems({ diskFreeBytes, lastBackupAt, firstVisitAt, at }: Now, lang: Lang): Problem[] {
  const texts = team(lang).booth;
  const found: Problem[] = [];
  if (diskFreeBytes !== null && diskFreeBytes < DISK_AMBER_BYTES) {
    const megabytes = Math.round(diskFreeBytes / MB);
    found.push({ cause: "disk", level: diskFreeBytes < DISK_RED_BYTES ? "red" : "amber", ...texts.disk(megabytes) });
  }
  const age = at - (lastBackupAt ?? firstVisitAt ?? at);
  if (age > BACKUP_MAX_AGE_MS)
    found.push({ cause: "backup", level: "amber", ...texts.backup(lastBackupAt ? minutes(age, lang) : null) });
  return found;
}
