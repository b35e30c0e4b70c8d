/** The shapes that the simulator keeps and shows. Names are Telegram's own, so only what it does not say is explained. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };
export type JsonObject = { [key: string]: Json | undefined };

export type TgUser = {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
};

export type TgChat = {
  id: number;
  type: "private" | "group" | "supergroup";
  title?: string;
  first_name?: string;
  username?: string;
};

export type TgEntity = { type: string; offset: number; length: number; url?: string; language?: string };

export type TgButton = { text: string; callback_data?: string; url?: string; [more: string]: Json | undefined };
export type TgKeyboard = { inline_keyboard: TgButton[][] };

export type TgPhotoSize = {
  file_id: string;
  file_unique_id: string;
  width: number;
  height: number;
  file_size: number;
};

export type TgSticker = TgPhotoSize & {
  type: "regular";
  is_animated: boolean;
  is_video: boolean;
  emoji?: string;
  set_name?: string;
};

export type TgMessage = {
  message_id: number;
  date: number;
  edit_date?: number;
  chat: TgChat;
  from?: TgUser;
  sender_chat?: TgChat;
  text?: string;
  entities?: TgEntity[];
  caption?: string;
  caption_entities?: TgEntity[];
  photo?: TgPhotoSize[];
  sticker?: TgSticker;
  document?: { file_id: string; file_unique_id: string; file_name?: string; mime_type?: string; file_size: number };
  reply_markup?: TgKeyboard;
  reply_to_message?: TgMessage;
  media_group_id?: string;
  migrate_to_chat_id?: number;
  migrate_from_chat_id?: number;
  new_chat_members?: TgUser[];
  left_chat_member?: TgUser;
};

export type TgUpdate = { update_id: number } & (
  | { message: TgMessage }
  | { edited_message: TgMessage }
  | { callback_query: TgCallbackQuery }
  | { my_chat_member: JsonObject }
);

export type TgCallbackQuery = {
  id: string;
  from: TgUser;
  message: TgMessage;
  chat_instance: string;
  data: string;
};

/** A stored file; `path` is what `getFile` names. */
export type SimFile = {
  fileId: string;
  uniqueId: string;
  path: string;
  mime: string;
  bytes: Uint8Array;
  kind: "photo" | "sticker" | "document";
  width: number;
  height: number;
};

export type SetSticker = { fileId: string; emoji: string[]; bytes: Uint8Array };

export type StickerSet = { name: string; title: string; ownerId: number; stickers: SetSticker[] };

/** A callback query as the guest sees it: how often and with what the bot answered. */
export type Press = { id: string; userId: number; data: string; answers: { text?: string; alert: boolean }[] };

/**
 * One call that reached the simulator.
 * `target` is `telegram:<method>`, `page`, `file`, `gemini:<purpose>` or `openai:<purpose>` with the purposes
 * `image`, `selfie`, `sheet`, `text` and `models`. `outcome` is `pending` until answered, then `ok`,
 * `refused <status> …`, or what a fault did.
 */
export type Call = {
  target: string;
  params: JsonObject;
  files: Record<string, Uint8Array>;
  at: number;
  ms?: number;
  outcome: string;
  /** What Telegram answered with, when it answered `ok`. */
  result?: unknown;
};
