/** Which commands Telegram offers in the team's chats, and the loop that tells it so. */
import type { BotCommand } from "grammy/types";
import { followLeadsChat, leadsChat } from "../shared/leads/group.ts";
import { followAdminChat } from "../shared/operators.ts";
import { team } from "../shared/texts/operators/index.ts";
import type { BotContext } from "./context.ts";
import { leadCommands } from "./leads.ts";
import { ask } from "./telegram.ts";

const COMMANDS = ["status", "pause", "resume", "jobs", "retry", "stats", "costs", "budget"] as const;
/** A chat that the bot is not in yet, or an outage: nobody waits for a list of commands. */
const AGAIN_MS = 5 * 60_000;

/**
 * Tells each desk's chat once which commands there are; a group that became a supergroup is another chat to Telegram, and
 * knows none until it is told anew.
 * @param clock milliseconds that nobody sets back
 */
export function createAnnouncer(context: BotContext, clock: () => number = () => performance.now()) {
  const { db, config, api, now } = context;
  const told = new Set<number>();
  const notBefore = new Map<number, number>();

  return async ({ signal }: { signal?: AbortSignal } = {}) => {
    for (const [chat_id, list] of lists(context)) {
      if (told.has(chat_id) || clock() < (notBefore.get(chat_id) ?? 0)) continue;
      const answer = await ask(() => api.setMyCommands(list, { scope: { type: "chat", chat_id } }), signal);
      if (answer.kind === "ok") told.add(chat_id);
      else notBefore.set(chat_id, clock() + (answer.kind === "wait" ? answer.retryAfterMs : AGAIN_MS));
      if (answer.kind !== "moved") continue;
      followAdminChat(db, config, { from: chat_id, to: answer.chatId, now: now() });
      followLeadsChat(db, config, { from: chat_id, to: answer.chatId, now: now() });
    }
  };
}

/** The commands of each chat as it is by now; one chat for both desks has all. */
function lists({ db, config }: BotContext): Map<number, BotCommand[]> {
  const sales = leadsChat(db, config);
  const { commands } = team(config.TEAM_LANG).chat;
  const own = COMMANDS.map((command) => ({ command, description: commands[command] }));
  const found = new Map<number, BotCommand[]>([[config.ADMIN_CHAT_ID, own]]);
  if (sales !== null) {
    const known = found.get(sales) ?? [];
    const theirs = leadCommands(config.TEAM_LANG).filter((c) => !known.some((k) => k.command === c.command));
    found.set(sales, [...known, ...theirs]);
  }
  return found;
}
