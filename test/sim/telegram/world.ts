/** Everything that the simulated Telegram remembers. Methods and people's actions change it; nobody else does. */
import { Refusal, refuse } from "../errors.ts";
import type { Json, Press, SimFile, StickerSet, TgChat, TgMessage, TgUser } from "../types.ts";
import { UpdateQueue } from "./updates.ts";

export type BotStatus = "member" | "administrator" | "kicked" | "left" | "stranger";
export type MemberStatus = "creator" | "administrator" | "member" | "left" | "kicked";

export type SimChat = {
  chat: TgChat;
  /** Oldest first; deleted messages are gone from here. */
  messages: TgMessage[];
  /** `stranger`: the guest never wrote to the bot. `kicked`: blocked by the guest, or thrown out of the group. */
  botStatus: BotStatus;
  members: Map<number, MemberStatus>;
  /** The supergroup that this group became. */
  movedTo?: number;
  /** The guest deleted the account. */
  deactivated?: boolean;
  lastMessageId: number;
  /** What the bot is doing (`sendChatAction`), shown until it writes or this time (ms) comes. */
  action?: { name: string; untilMs: number };
};

export type Command = { command: string; description: string };

export class World {
  readonly users = new Map<number, TgUser>();
  readonly chats = new Map<number, SimChat>();
  readonly files = new Map<string, SimFile>();
  /** By name in lower case: Telegram does not tell the case of names apart. */
  readonly sets = new Map<string, StickerSet>();
  /** Names of deleted sets, in lower case: they stay taken. */
  readonly burntNames = new Set<string>();
  readonly presses = new Map<string, Press>();
  /** Key: scope and language as JSON. */
  readonly commands = new Map<string, Command[]>();
  readonly updates: UpdateQueue;
  /** How far Telegram's clock is ahead of this machine's, in milliseconds. */
  skewMs = 0;
  private lastMessageId = 100;
  private lastFile = 0;

  /** Its name stays taken. */
  deleteSet(name: string) {
    const key = name.toLowerCase();
    this.sets.delete(key);
    this.burntNames.add(key);
    this.changed();
  }

  constructor(
    readonly bot: TgUser,
    readonly token: string,
    /** Told after every change. */
    readonly changed: () => void,
  ) {
    this.updates = new UpdateQueue(changed);
  }

  nowMs(): number {
    return Date.now() + this.skewMs;
  }

  dateS(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  addGroup(chat: TgChat): SimChat {
    const group: SimChat = { chat, messages: [], botStatus: "member", members: new Map(), lastMessageId: 0 };
    this.chats.set(chat.id, group);
    return group;
  }

  findChat(id: Json | undefined): SimChat | undefined {
    if (typeof id === "number") return this.chats.get(id);
    const wanted = String(id).toLowerCase();
    if (/^-?\d+$/.test(wanted)) return this.chats.get(Number(wanted));
    return [...this.chats.values()].find(({ chat }) => `@${chat.username?.toLowerCase()}` === wanted);
  }

  /** The chat if the bot may write there now; otherwise Telegram's refusal. */
  writable(id: Json | undefined): SimChat {
    const found = this.findChat(id);
    if (!found || found.botStatus === "stranger") return refuse("chat not found");
    if (found.movedTo !== undefined)
      refuse("group chat was upgraded to a supergroup chat", { migrate_to_chat_id: found.movedTo });
    if (found.deactivated) throw new Refusal(403, "Forbidden: user is deactivated");
    const { type } = found.chat;
    if (found.botStatus === "kicked")
      throw new Refusal(
        403,
        type === "private"
          ? "Forbidden: bot was blocked by the user"
          : `Forbidden: bot was kicked from the ${type} chat`,
      );
    if (found.botStatus === "left") throw new Refusal(403, `Forbidden: bot is not a member of the ${type} chat`);
    return found;
  }

  /** Puts a message into a chat and gives it back as the Bot API shows it. Supergroups count on their own. */
  post(chat: SimChat, from: TgUser, content: Partial<TgMessage>): TgMessage {
    const own = chat.chat.type === "supergroup";
    const message_id = own ? ++chat.lastMessageId : ++this.lastMessageId;
    const message: TgMessage = { message_id, from, chat: chat.chat, date: this.dateS(), ...content };
    chat.messages.push(message);
    chat.action = undefined;
    this.changed();
    return message;
  }

  addFile(file: Omit<SimFile, "fileId" | "uniqueId" | "path">): SimFile {
    this.lastFile += 1;
    const folder = { photo: "photos", sticker: "stickers", document: "documents" }[file.kind];
    const ending = { "image/png": "png", "image/webp": "webp", "image/jpeg": "jpg" }[file.mime] ?? "bin";
    const stored: SimFile = {
      ...file,
      fileId: `BQACAgIAAxk${file.kind[0]}${String(this.lastFile).padStart(6, "0")}`,
      uniqueId: `AgAD${String(this.lastFile).padStart(8, "0")}`,
      path: `${folder}/file_${this.lastFile}.${ending}`,
    };
    this.files.set(stored.fileId, stored);
    return stored;
  }
}
