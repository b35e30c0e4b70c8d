/** The operators' chat: which one it is by now. A group that becomes a supergroup gets another id from Telegram. */
import type { Database } from "bun:sqlite";
import type { Config } from "./config.ts";
import { transact } from "./db.ts";
import { getSetting, putSetting } from "./settings.ts";

type Chats = Pick<Config, "ADMIN_CHAT_ID">;
/** `from` is what was configured when the group moved: another configured id makes the note void. */
type Followed = { from: number; id: number };
const FOLLOWED = "admin_chat";

/** @param configured ADMIN_CHAT_ID as the environment has it */
export function adminChat(db: Database, configured: number): number {
  const followed = getSetting<Followed>(db, FOLLOWED);
  return followed?.from === configured ? followed.id : configured;
}

/**
 * Is this the operators' chat, under its present or its configured id?
 * @param config the live view of the settings, see overrides.ts
 */
export function isAdminChat(db: Database, { ADMIN_CHAT_ID }: Chats, chatId: number | undefined): boolean {
  if (chatId === undefined) return false;
  if (chatId === ADMIN_CHAT_ID) return true;
  const followed = getSetting<Followed>(db, FOLLOWED);
  return followed?.id === ADMIN_CHAT_ID && followed.from === chatId;
}

/** Remembers the new id of a group when it is the operators'. @returns whether it was */
export function followAdminChat(
  db: Database,
  { ADMIN_CHAT_ID }: Chats,
  move: { from: number; to: number; now: number },
): boolean {
  return transact(db, () => {
    if (move.from === move.to || move.from !== ADMIN_CHAT_ID) return false;
    const followed = getSetting<Followed>(db, FOLLOWED);
    const from = followed?.id === move.from ? followed.from : move.from;
    return putSetting(db, FOLLOWED, { from, id: move.to } satisfies Followed, move.now);
  });
}
