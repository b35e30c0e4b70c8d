/** Methods about the bot itself, its updates, chats, files and answers to buttons. */
import { refuse, wrong } from "../errors.ts";
import type { JsonObject } from "../types.ts";
import { listOf, type Method, numberOf, objectOf, textOf } from "./method.ts";
import type { Command } from "./world.ts";

const ANSWER_MAX = 200;
const COMMANDS_MAX = 100;
const DESCRIPTION_MAX = 256;
const DOWNLOAD_MAX_BYTES = 20 * 1024 * 1024;

export const restMethods: Record<string, Method> = {
  getMe: ({ world }) => ({
    ...world.bot,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
  }),
  getUpdates({ world, params, signal }) {
    return world.updates.poll(
      {
        offset: numberOf(params.offset),
        limit: numberOf(params.limit),
        timeout: numberOf(params.timeout),
        ...(params.allowed_updates !== undefined && { allowed: listOf(params.allowed_updates).map(String) }),
      },
      signal,
    );
  },
  getWebhookInfo: ({ world }) => ({
    url: world.updates.webhookUrl,
    has_custom_certificate: false,
    pending_update_count: world.updates.pending.length,
  }),
  deleteWebhook({ world, params }) {
    world.updates.webhookUrl = "";
    if (params.drop_pending_updates === true) world.updates.drop();
    world.changed();
    return true;
  },
  answerCallbackQuery({ world, params }) {
    const text = textOf(params.text);
    if ((text?.length ?? 0) > ANSWER_MAX) wrong("MESSAGE_TOO_LONG");
    const press = world.presses.get(textOf(params.callback_query_id) ?? "");
    if (!press) return refuse("query is too old and response timeout expired or query ID is invalid");
    press.answers.push({ ...(text && { text }), alert: params.show_alert === true });
    world.changed();
    return true;
  },
  setMyCommands({ world, params }) {
    const commands = listOf(params.commands).map(objectOf) as Command[];
    if (commands.length > COMMANDS_MAX) wrong("BOT_COMMANDS_TOO_MUCH");
    for (const { command, description } of commands) {
      if (!/^\/?[a-z0-9_]{1,32}$/.test(command)) wrong("BOT_COMMAND_INVALID");
      if (description.trim() === "" || description.length > DESCRIPTION_MAX) wrong("BOT_COMMAND_DESCRIPTION_INVALID");
    }
    world.commands.set(commandKey(params), commands);
    world.changed();
    return true;
  },
  getMyCommands: ({ world, params }) => world.commands.get(commandKey(params)) ?? [],
  deleteMyCommands({ world, params }) {
    world.commands.delete(commandKey(params));
    return true;
  },
  setMyDescription: () => true,
  setMyShortDescription: () => true,
  setChatMenuButton: () => true,
  getChat({ world, params }) {
    const { chat } = world.writable(params.chat_id);
    return { ...chat, accent_color_id: 0, max_reaction_count: 11, accepted_gift_types: {} };
  },
  getChatMember({ world, params }) {
    const { members, botStatus } = world.writable(params.chat_id);
    const userId = numberOf(params.user_id) ?? 0;
    const user = world.users.get(userId);
    if (!user) return refuse("PARTICIPANT_ID_INVALID");
    return { status: userId === world.bot.id ? botStatus : (members.get(userId) ?? "left"), user };
  },
  getChatMemberCount({ world, params }) {
    return (
      [...world.writable(params.chat_id).members.values()].filter((status) => !/left|kicked/.test(status)).length + 1
    );
  },
  getFile({ world, params }) {
    const file = world.files.get(textOf(params.file_id) ?? "");
    if (!file) return wrong("invalid file_id");
    if (file.bytes.length > DOWNLOAD_MAX_BYTES) refuse("file is too big");
    return {
      file_id: file.fileId,
      file_unique_id: file.uniqueId,
      file_size: file.bytes.length,
      file_path: file.path,
    };
  },
};

/** Commands are kept apart by scope and language, as Telegram shows the narrowest that fits. */
export function commandKey(params: JsonObject): string {
  const scope = objectOf(params.scope);
  return JSON.stringify([scope.type ?? "default", scope.chat_id ?? null, textOf(params.language_code) ?? ""]);
}
