/** The sales group: which chat it is by now, and whether cards can reach it. */
import type { Database } from "bun:sqlite";
import type { Config } from "../config.ts";
import { transact } from "../db.ts";
import { notify } from "../notices.ts";
import { dropSetting, getSetting, putSetting } from "../settings.ts";
import { escapeHtml } from "../texts/index.ts";
import { sales } from "../texts/sales/index.ts";
import { hasRefused } from "./outbox.ts";

type Chats = Pick<Config, "LEADS_CHAT_ID">;
type Settings = Pick<Config, "LEADS_CHAT_ID" | "ADMIN_CHAT_ID" | "TEAM_LANG">;

/** `from` is what was configured when the group moved: another configured id makes the note void. */
type Followed = { from: number; id: number };
const FOLLOWED = "leads_chat";

/** The sales group's id by now, or null when none is configured. */
export function leadsChat(db: Database, { LEADS_CHAT_ID }: Chats): number | null {
  if (LEADS_CHAT_ID === undefined) return null;
  const followed = getSetting<Followed>(db, FOLLOWED);
  return followed?.from === LEADS_CHAT_ID ? followed.id : LEADS_CHAT_ID;
}

/** Is this the sales group, under its present or its configured id? */
export const isLeadsChat = (db: Database, config: Chats, chatId: number | undefined) =>
  chatId !== undefined && (chatId === leadsChat(db, config) || chatId === config.LEADS_CHAT_ID);

/** A group became a supergroup: remembers the new id when it is the sales group's. @returns whether it was */
export function followLeadsChat(db: Database, config: Chats, move: { from: number; to: number; now: number }): boolean {
  const { LEADS_CHAT_ID: from } = config;
  return transact(db, () => {
    if (from === undefined || move.from === move.to || leadsChat(db, config) !== move.from) return false;
    return putSetting(db, FOLLOWED, { from, id: move.to } satisfies Followed, move.now);
  });
}

/** Why no card arrives: Telegram does not answer well, refuses the cards, or the bot may not write in the group. */
export type Trouble = "failing" | "refused" | "out";
const TROUBLE = "leads_trouble";

export const leadsTrouble = (db: Database) => getSetting<Trouble>(db, TROUBLE);

/** Tells the operators once that cards do not arrive, until they do again. @returns whether it was said now */
export function reportTrouble(
  db: Database,
  config: Settings,
  trouble: { kind: Trouble; what: string; now: number },
): boolean {
  return transact(db, () => {
    const known = leadsTrouble(db);
    // Being thrown out is news even after failures: it needs another remedy. Nothing else is.
    if (known !== null && (known === trouble.kind || trouble.kind !== "out")) return false;
    putSetting(db, TROUBLE, trouble.kind, trouble.now);
    const text = `⚠️ ${escapeHtml(`${trouble.what} ${sales(config.TEAM_LANG).alerts.remedy[trouble.kind]}`)}`;
    return notify(db, { chatId: config.ADMIN_CHAT_ID, text, now: trouble.now });
  });
}

/** Cards arrive: says so, once, when the operators had been told otherwise. */
export function reportFlow(db: Database, config: Settings, now: number): boolean {
  return transact(db, () => {
    const trouble = leadsTrouble(db);
    // Cards that pass a refused one do not mend it.
    if (trouble === null || (trouble === "refused" && hasRefused(db))) return false;
    dropSetting(db, TROUBLE);
    return notify(db, { chatId: config.ADMIN_CHAT_ID, text: `✅ ${sales(config.TEAM_LANG).alerts.flows}`, now });
  });
}
