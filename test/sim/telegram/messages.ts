/** Methods that put messages into chats, change them and take them away. */
import { refuse, wrong } from "../errors.ts";
import type { Json, JsonObject, TgMessage } from "../types.ts";
import { type Formatted, format } from "./entities.ts";
import { addPhoto, addStickerFile, stickerOf } from "./images.ts";
import { inlineKeyboard } from "./keyboard.ts";
import { listOf, type Method, numberOf, objectOf, type Request, textOf, uploaded } from "./method.ts";
import type { SimChat, World } from "./world.ts";

const TEXT_MAX = 4096;
const CAPTION_MAX = 1024;
/** core.telegram.org/bots/api#sendchataction: five seconds or less. */
const ACTION_SHOWN_MS = 5000;
const ALBUM_MIN = 2;
const ALBUM_MAX = 10;
const chatActions = /^(typing|(upload|record)_(photo|video|voice|document|video_note)|choose_sticker|find_location)$/;
const notModified =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

export const messageMethods: Record<string, Method> = {
  sendMessage: (request) => send(request, formattedText(request.params)),
  sendPhoto: (request) => send(request, async () => ({ photo: await photoOf(request), ...caption(request.params)() })),
  sendSticker: (request) => send(request, async () => ({ sticker: await stickerFor(request) })),
  sendDocument: (request) => send(request, () => ({ document: documentOf(request), ...caption(request.params)() })),
  sendMediaGroup,
  sendChatAction({ world, params }) {
    const chat = world.writable(params.chat_id);
    const name = textOf(params.action) ?? "";
    if (!chatActions.test(name)) wrong("wrong parameter action in request");
    chat.action = { name, untilMs: world.nowMs() + ACTION_SHOWN_MS };
    world.changed();
    return true;
  },
  editMessageText: (request) => edit(request, ownMessage(request), formattedText(request.params)),
  editMessageCaption: (request) => edit(request, ownMessage(request), caption(request.params)),
  editMessageReplyMarkup: (request) => edit(request, ownMessage(request), () => ({})),
  deleteMessage({ world, params }) {
    const chat = world.writable(params.chat_id);
    if (!remove(world, chat, params.message_id)) refuse("message to delete not found");
    return true;
  },
  deleteMessages({ world, params }) {
    const chat = world.writable(params.chat_id);
    for (const id of listOf(params.message_ids)) remove(world, chat, id);
    return true;
  },
  copyMessage(request) {
    const { message_id } = copy(request, false);
    return { message_id };
  },
  forwardMessage: (request) => copy(request, true),
  pinChatMessage: onMessage,
  unpinChatMessage: ({ world, params }) => Boolean(world.writable(params.chat_id)),
  setMessageReaction: onMessage,
};

type Content = Partial<TgMessage>;
type ContentMaker = () => Content | Promise<Content>;

async function send({ world, params }: Request, content: ContentMaker): Promise<TgMessage> {
  const chat = world.writable(params.chat_id);
  const keyboard = inlineKeyboard(params.reply_markup);
  const replyTo = repliedTo(chat, params);
  const made = await content();
  return world.post(chat, world.bot, {
    ...made,
    ...(replyTo && { reply_to_message: replyTo }),
    ...(keyboard && { reply_markup: keyboard }),
  });
}

function repliedTo(chat: SimChat, params: JsonObject): TgMessage | undefined {
  const reply = objectOf(params.reply_parameters);
  if (reply.message_id === undefined) return undefined;
  const found = chat.messages.find((message) => message.message_id === reply.message_id);
  if (!found && reply.allow_sending_without_reply !== true) refuse("message to be replied not found");
  return found;
}

function formattedText(params: JsonObject): ContentMaker {
  return () => {
    const { text, entities } = formatted(params, "text", "entities");
    if (text === "") wrong("message text is empty");
    if (text.length > TEXT_MAX) wrong("message is too long");
    return { text, ...(entities.length > 0 && { entities }) };
  };
}

function caption(params: JsonObject): () => Content {
  return () => {
    const { text, entities } = formatted(params, "caption", "caption_entities");
    if (text.length > CAPTION_MAX) wrong("message caption is too long");
    return { ...(text !== "" && { caption: text }), ...(entities.length > 0 && { caption_entities: entities }) };
  };
}

function formatted(params: JsonObject, field: string, entitiesField: string): Formatted {
  if (params[entitiesField] !== undefined) wrong(`the simulator reads parse_mode HTML, not ${entitiesField}`);
  return format(textOf(params[field]) ?? "", textOf(params.parse_mode));
}

async function photoOf({ world, params, files }: Request) {
  const bytes = uploaded(files, params.photo);
  if (bytes) return await addPhoto(world, bytes);
  const known = knownFile(world, params.photo, "photo");
  const { fileId, uniqueId, width, height } = known;
  return [{ file_id: fileId, file_unique_id: uniqueId, width, height, file_size: known.bytes.length }];
}

async function stickerFor({ world, params, files }: Request) {
  const bytes = uploaded(files, params.sticker);
  if (bytes) return stickerOf(await addStickerFile(world, bytes), textOf(params.emoji));
  const file = knownFile(world, params.sticker, "sticker");
  const set = [...world.sets.values()].find(({ stickers }) => stickers.some((one) => one.fileId === file.fileId));
  const emoji = set?.stickers.find((one) => one.fileId === file.fileId)?.emoji[0];
  return stickerOf(file, emoji, set?.name);
}

function documentOf({ world, params, files }: Request) {
  const bytes = uploaded(files, params.document);
  const stored = bytes
    ? world.addFile({ kind: "document", mime: "application/octet-stream", bytes, width: 0, height: 0 })
    : knownFile(world, params.document, "document");
  return { file_id: stored.fileId, file_unique_id: stored.uniqueId, file_size: stored.bytes.length };
}

function knownFile(world: World, id: Json | undefined, kind: "photo" | "sticker" | "document") {
  const file = world.files.get(textOf(id) ?? "");
  if (!file) return wrong("wrong file identifier/HTTP URL specified");
  if (file.kind !== kind) wrong(`can't use file of type ${file.kind} as ${kind}`);
  return file;
}

async function sendMediaGroup(request: Request): Promise<TgMessage[]> {
  const { world, params } = request;
  const chat = world.writable(params.chat_id);
  const media = listOf(params.media).map(objectOf);
  if (media.length < ALBUM_MIN || media.length > ALBUM_MAX) wrong("wrong number of items in the album: 2-10 expected");
  const contents: Content[] = [];
  for (const item of media) {
    if (item.type !== "photo") wrong("the simulator sends albums of photos only");
    const part = { ...request, params: { ...item, photo: item.media } };
    contents.push({ photo: await photoOf(part), ...caption(item)() });
  }
  const media_group_id = String(world.nowMs());
  return contents.map((content) => world.post(chat, world.bot, { ...content, media_group_id }));
}

function ownMessage({ world, params }: Request): TgMessage {
  if (params.inline_message_id !== undefined) wrong("MESSAGE_ID_INVALID");
  const chat = world.writable(params.chat_id);
  const found = chat.messages.find((message) => message.message_id === params.message_id);
  if (!found) return refuse("message to edit not found");
  if (found.from?.id !== world.bot.id) refuse("message can't be edited");
  return found;
}

/** Text and caption replace each other's like; a keyboard that is not sent along goes away. */
async function edit({ world, params }: Request, message: TgMessage, content: ContentMaker): Promise<TgMessage> {
  if (params.text !== undefined && message.text === undefined) refuse("there is no text in the message to edit");
  if (params.caption !== undefined && message.text !== undefined) refuse("there is no caption in the message to edit");
  const keyboard = inlineKeyboard(params.reply_markup);
  const next: TgMessage = { ...message, ...(await content()), reply_markup: keyboard };
  if (shown(next) === shown(message)) refuse(notModified);
  Object.assign(message, next, { edit_date: world.dateS() });
  if (!keyboard) delete message.reply_markup;
  world.changed();
  return message;
}

function shown({ text, entities, caption, caption_entities, reply_markup }: TgMessage): string {
  return JSON.stringify([text, entities ?? [], caption, caption_entities ?? [], reply_markup?.inline_keyboard ?? []]);
}

function remove(world: World, chat: SimChat, id: Json | undefined): boolean {
  const index = chat.messages.findIndex((message) => message.message_id === id);
  if (index < 0) return false;
  chat.messages.splice(index, 1);
  world.changed();
  return true;
}

function copy({ world, params }: Request, forward: boolean): TgMessage {
  const source = world.findChat(params.from_chat_id)?.messages.find((one) => one.message_id === params.message_id);
  if (!source) return refuse(`message to ${forward ? "forward" : "copy"} not found`);
  const { text, entities, caption, caption_entities, photo, sticker, document } = source;
  const chat = world.writable(params.chat_id);
  return world.post(chat, world.bot, { text, entities, caption, caption_entities, photo, sticker, document });
}

function onMessage({ world, params }: Request): true {
  const chat = world.writable(params.chat_id);
  if (numberOf(params.message_id) === undefined || !chat.messages.some((one) => one.message_id === params.message_id))
    refuse("message not found");
  return true;
}
