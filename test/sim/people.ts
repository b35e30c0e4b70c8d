/** What people do in the simulated Telegram: guests in their chats, operators in their groups. */

import { withLinks } from "./telegram/entities.ts";
import { addPhoto, addStickerFile, drawHeart, stickerOf } from "./telegram/images.ts";
import type { MemberStatus, SimChat, World } from "./telegram/world.ts";
import type { Press, SimFile, TgButton, TgMessage, TgUpdate, TgUser } from "./types.ts";

/** Telegram's own user behind every anonymous administrator. */
const anonymousAdmin: TgUser = { id: 1087968824, is_bot: true, first_name: "Group", username: "GroupAnonymousBot" };
const FIRST_SUPERGROUP_ID = -1002000000000;

/** `lang: null`: the phone tells none. */
export type GuestLook = { lang?: string | null; name?: string; username?: string };
export type Where = { message?: TgMessage; messageId?: number };
export type Says = { anonymous?: boolean; replyTo?: TgMessage };

export class People {
  private supergroups = 0;
  private lastPress = 0;
  private heartFile?: SimFile;

  constructor(readonly world: World) {}

  /** The person with this id, made on first mention; `look` changes what is known of them. */
  guest(id: number, look: GuestLook = {}): TgUser {
    const known = this.world.users.get(id);
    const user: TgUser = {
      id,
      is_bot: false,
      first_name: look.name ?? known?.first_name ?? `Guest ${id}`,
      username: look.username ?? known?.username ?? `guest_${id}`,
      language_code: look.lang === null ? undefined : (look.lang ?? known?.language_code ?? "en"),
    };
    this.world.users.set(id, user);
    if (!this.world.chats.has(id)) {
      const chat = { id, type: "private" as const, first_name: user.first_name, username: user.username };
      const fresh: SimChat = { chat, messages: [], botStatus: "stranger", members: new Map(), lastMessageId: 0 };
      this.world.chats.set(id, fresh);
    }
    this.world.changed();
    return user;
  }

  /** A guest writes to the bot; `/start <token>` is what a scanned code makes the client send. */
  guestSays(id: number, text: string, look: GuestLook & Says = {}): TgMessage {
    const user = this.guest(id, look);
    const chat = this.openChat(id);
    return this.deliver(this.world.post(chat, user, { ...textContent(text), ...replyContent(look.replyTo) }));
  }

  async guestSendsPhoto(
    id: number,
    bytes: Uint8Array,
    look: GuestLook & { caption?: string } = {},
  ): Promise<TgMessage> {
    const user = this.guest(id, look);
    const chat = this.openChat(id);
    const photo = await addPhoto(this.world, bytes);
    return this.deliver(this.world.post(chat, user, { photo, ...(look.caption && { caption: look.caption }) }));
  }

  /** The same picture sent “as a file”: kept byte by byte. */
  guestSendsFile(id: number, bytes: Uint8Array, name: string, mime?: string): TgMessage {
    const user = this.guest(id);
    const file = this.world.addFile({
      kind: "document",
      mime: mime ?? "application/octet-stream",
      bytes,
      width: 0,
      height: 0,
    });
    const { fileId, uniqueId } = file;
    const document = {
      file_id: fileId,
      file_unique_id: uniqueId,
      file_name: name,
      mime_type: mime,
      file_size: bytes.length,
    };
    return this.deliver(this.world.post(this.openChat(id), user, { document }));
  }

  /** A guest sends a sticker: one that the simulator keeps, or, without its id, a heart of Telegram's own. */
  async guestSendsSticker(id: number, fileId?: string): Promise<TgMessage> {
    const user = this.guest(id);
    const chat = this.openChat(id);
    const file = fileId === undefined ? await this.heart() : this.world.files.get(fileId);
    if (file?.kind !== "sticker") throw new Error(`the simulator keeps no sticker ${fileId}`);
    const set = [...this.world.sets.values()].find(({ stickers }) => stickers.some((one) => one.fileId === fileId));
    const emoji = set?.stickers.find((one) => one.fileId === fileId)?.emoji[0] ?? "❤️";
    return this.deliver(this.world.post(chat, user, { sticker: stickerOf(file, emoji, set?.name) }));
  }

  private async heart(): Promise<SimFile> {
    this.heartFile ??= await addStickerFile(this.world, await drawHeart());
    return this.heartFile;
  }

  /**
   * A guest presses a button in the chat with the bot: the latest one whose data is `data` or matches it.
   * Give `message` (or `messageId`) to press on a certain message, with the former even on an old copy, as a slow
   * client may. Throws if there is no such button.
   */
  guestPresses(id: number, data: string | RegExp, options: Where = {}): Press {
    return this.press(this.chatById(id), this.guest(id), data, options);
  }

  guestBlocks(id: number): void {
    this.setBotStatus(this.chatById(id), this.guest(id), "kicked");
  }

  guestUnblocks(id: number): void {
    this.setBotStatus(this.chatById(id), this.guest(id), "member");
  }

  guestDeletesAccount(id: number): void {
    this.chatById(id).deactivated = true;
    this.world.changed();
  }

  /** Someone writes in a group. Like Telegram, the bot hears of commands and replies to it only, unless it is an administrator. */
  operatorSays(chatId: number, userId: number, text: string, options: GuestLook & Says = {}): TgMessage {
    const chat = this.chatById(chatId);
    const user = this.memberOf(chat, userId, options);
    const message = this.world.post(chat, options.anonymous ? anonymousAdmin : user, {
      ...textContent(text),
      ...replyContent(options.replyTo),
      ...(options.anonymous && { sender_chat: chat.chat }),
    });
    return this.heard(chat, message) ? this.deliver(message) : message;
  }

  /** As `guestPresses`, in a group. Telegram names the real person even for anonymous administrators. */
  operatorPresses(chatId: number, userId: number, data: string | RegExp, options: GuestLook & Where = {}): Press {
    const chat = this.chatById(chatId);
    return this.press(chat, this.memberOf(chat, userId, options), data, options);
  }

  joins(chatId: number, userId: number, status: MemberStatus = "member", look: GuestLook = {}): void {
    this.guest(userId, look);
    this.chatById(chatId).members.set(userId, status);
    this.world.changed();
  }

  /** A group becomes a supergroup: calls to the old id are refused with the new one, which is returned. */
  migrateGroup(chatId: number): number {
    const old = this.chatById(chatId);
    const id = FIRST_SUPERGROUP_ID - ++this.supergroups;
    const fresh = this.world.addGroup({ ...old.chat, id, type: "supergroup" });
    for (const [userId, status] of old.members) fresh.members.set(userId, status);
    const owner = this.memberOf(old, [...old.members.keys()][0] ?? 1, {});
    old.movedTo = id;
    this.deliver(this.world.post(old, owner, { migrate_to_chat_id: id }));
    this.deliver(this.world.post(fresh, owner, { migrate_from_chat_id: chatId }));
    return id;
  }

  throwsBotOut(chatId: number, userId = 1): void {
    const chat = this.chatById(chatId);
    this.setBotStatus(chat, this.memberOf(chat, userId, {}), "kicked");
  }

  invitesBot(chatId: number, userId = 1): void {
    const chat = this.chatById(chatId);
    this.setBotStatus(chat, this.memberOf(chat, userId, {}), "member");
  }

  /** Hands the last `count` delivered updates to the bot once more, under their old ids. */
  redeliver(count = 1): TgUpdate[] {
    return this.world.updates.redeliver(count);
  }

  /** All callback queries made so far become too old to answer. */
  expirePresses(): void {
    this.world.presses.clear();
  }

  /** Messages of a chat, oldest first. A guest's chat has the guest's id. */
  messages(chatId: number): TgMessage[] {
    return this.world.chats.get(chatId)?.messages ?? [];
  }

  /** Buttons that stand in a chat now, the latest message first. */
  buttons(chatId: number): (TgButton & { message: TgMessage })[] {
    return [...this.messages(chatId)]
      .reverse()
      .flatMap(
        (message) => message.reply_markup?.inline_keyboard.flat().map((button) => ({ ...button, message })) ?? [],
      );
  }

  private chatById(id: number): SimChat {
    if (id > 0) this.guest(id);
    const chat = this.world.chats.get(id);
    if (!chat) throw new Error(`the simulator has no chat ${id}; give groups to startSim`);
    return chat;
  }

  private openChat(id: number): SimChat {
    const chat = this.chatById(id);
    if (chat.botStatus === "kicked") throw new Error(`guest ${id} has blocked the bot: unblock before writing`);
    chat.botStatus = "member";
    return chat;
  }

  private memberOf(chat: SimChat, userId: number, look: GuestLook): TgUser {
    const user = this.guest(userId, look);
    if (!chat.members.has(userId)) chat.members.set(userId, "member");
    return user;
  }

  private heard(chat: SimChat, message: TgMessage): boolean {
    if (chat.botStatus === "administrator") return true;
    if (chat.botStatus !== "member") return false;
    if (message.reply_to_message?.from?.id === this.world.bot.id) return true;
    const command = /^\/\w+(?:@(\w+))?/.exec(message.text ?? "");
    const addressee = command?.[1]?.toLowerCase();
    return command !== null && (!addressee || addressee === this.world.bot.username?.toLowerCase());
  }

  private deliver(message: TgMessage): TgMessage {
    this.world.updates.push({ message: structuredClone(message) });
    this.world.changed();
    return message;
  }

  private press(chat: SimChat, from: TgUser, wanted: string | RegExp, { message: on, messageId }: Where): Press {
    const fits = (data = "") => (typeof wanted === "string" ? data === wanted : wanted.test(data));
    const shown = this.buttons(chat.chat.id);
    const found = shown.find(
      ({ callback_data, message }) =>
        fits(callback_data) && (messageId === undefined || messageId === message.message_id),
    );
    const data = found?.callback_data ?? (on && typeof wanted === "string" ? wanted : undefined);
    const message = on ?? found?.message;
    if (!message || data === undefined)
      throw new Error(
        `no button ${wanted} in chat ${chat.chat.id}; there are: ${shown.map((b) => b.callback_data ?? b.url)}`,
      );
    this.lastPress += 1;
    const press: Press = { id: `43798${String(this.lastPress).padStart(8, "0")}`, userId: from.id, data, answers: [] };
    this.world.presses.set(press.id, press);
    const chat_instance = String(chat.chat.id);
    this.world.updates.push({
      callback_query: { id: press.id, from, message: structuredClone(message), chat_instance, data },
    });
    this.world.changed();
    return press;
  }

  private setBotStatus(chat: SimChat, by: TgUser, status: "kicked" | "member"): void {
    const was = chat.botStatus === "stranger" ? "left" : chat.botStatus;
    if (was === status) return;
    chat.botStatus = status;
    const bot = this.world.bot;
    const member = (is: string) => ({ user: bot, status: is, ...(is === "kicked" && { until_date: 0 }) });
    this.world.updates.push({
      my_chat_member: structuredClone({
        chat: chat.chat,
        from: by,
        date: this.world.dateS(),
        old_chat_member: member(was),
        new_chat_member: member(status),
      }),
    });
    this.world.changed();
  }
}

function textContent(text: string): Partial<TgMessage> {
  const { entities } = withLinks({ text, entities: [] });
  return { text, ...(entities.length > 0 && { entities }) };
}

function replyContent(replyTo: TgMessage | undefined): Partial<TgMessage> {
  return replyTo ? { reply_to_message: structuredClone(replyTo) } : {};
}
