/** One message: its bubble, pictures, entities and buttons. */
import { openLink, press, say } from "./actions.js";
import { avatar, clock, fileUrl, h, icon } from "./dom.js";
import { showPack } from "./pack.js";
import { local, remote, words } from "./store.js";

const tags = {
  bold: "b",
  italic: "i",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
};

export function messageView(message) {
  const service = serviceText(message);
  if (service) return h("div", { class: "service" }, h("span", {}, service));
  const mine = isMine(message);
  const body = message.sticker ? stickerView(message) : bubbleView(message, mine);
  const group = message.chat.type !== "private";
  return h(
    "div",
    { class: `row ${mine ? "mine" : "theirs"}`, "data-id": String(message.message_id) },
    group &&
      !mine &&
      (message.from?.id === remote.bot.id
        ? h("span", { class: "avatar bot small" })
        : avatar(message.from?.id ?? 0, nameOf(message), "small")),
    h("div", { class: "stack" }, body, keyboardView(message)),
  );
}

function isMine(message) {
  return message.from?.id !== remote.bot.id;
}

function nameOf(message) {
  return message.sender_chat?.title ?? message.from?.first_name ?? "?";
}

function serviceText({ migrate_to_chat_id, migrate_from_chat_id }) {
  return migrate_to_chat_id || migrate_from_chat_id ? "Group → supergroup" : undefined;
}

function bubbleView(message, mine) {
  const { chat, text, entities, caption, caption_entities, photo, document: file, reply_to_message } = message;
  const written = (text ?? caption)?.replace(/^\/start .+/, "/start");
  return h(
    "div",
    { class: `bubble ${photo ? "with-photo" : ""} ${photo && !written ? "bare" : ""}` },
    chat.type !== "private" && !mine && h("div", { class: "author" }, nameOf(message)),
    chat.type !== "private" && mine && message.sender_chat && h("div", { class: "author" }, nameOf(message)),
    reply_to_message && h("div", { class: "quote" }, reply_to_message.text ?? reply_to_message.caption ?? "…"),
    photo && photoView(photo),
    file && h("div", { class: "file" }, icon("file"), h("span", {}, file.file_name ?? words().file)),
    written && h("div", { class: "text" }, richText(written, entities ?? caption_entities ?? [])),
    timeView(message),
  );
}

function timeView(message) {
  const edited = message.edit_date ? `${words().edited} ` : "";
  return h("time", { class: edited ? "time edited" : "time" }, edited + clock(message.date));
}

function photoView(sizes) {
  const largest = sizes.at(-1);
  return h("img", {
    class: "photo",
    src: fileUrl(largest.file_id),
    width: largest.width,
    height: largest.height,
    alt: words().photo,
  });
}

function stickerView(message) {
  const { sticker } = message;
  const picture = h("img", { class: "sticker", src: fileUrl(sticker.file_id), alt: sticker.emoji ?? words().sticker });
  const label = `${words().sticker} ${sticker.emoji ?? ""}`;
  const open = () => showPack(sticker.set_name);
  return h(
    "div",
    { class: "sticker-box" },
    sticker.set_name ? h("button", { class: "plain", onclick: open, "aria-label": label }, picture) : picture,
    timeView(message),
  );
}

function keyboardView(message) {
  const rows = message.reply_markup?.inline_keyboard;
  if (!rows?.length) return undefined;
  return h(
    "div",
    { class: "keyboard" },
    rows.map((row) =>
      h(
        "div",
        { class: "keys" },
        row.map((button) => buttonView(message, button)),
      ),
    ),
  );
}

function buttonView(message, { text, callback_data: data, url, style }) {
  const key = h("button", { class: `key ${style ?? ""}` }, h("span", {}, text), url && icon("link"));
  key.addEventListener("click", async () => {
    if (url) return openLink(url, showPack);
    if (data === undefined || key.classList.contains("busy")) return;
    key.classList.add("busy");
    await press(message, data);
    key.classList.remove("busy");
  });
  return key;
}

/**
 * Cuts the text where entities begin and end, and wraps each piece in all that cover it, the longest outside. Quotes are
 * blocks: each stays in one piece, with what is within it inside.
 */
function richText(text, entities) {
  const quote = entities.find(({ type }) => type === "blockquote");
  if (quote) {
    const [from, to] = [quote.offset, quote.offset + quote.length];
    const within = (start, end) => richText(text.slice(start, end), clipped(entities, quote, start, end));
    // The line ends with its block.
    const after = text[to] === "\n" ? to + 1 : to;
    return [...within(0, from), h("blockquote", {}, ...within(from, to)), ...within(after, text.length)];
  }
  const cuts = new Set([0, text.length]);
  for (const { offset, length } of entities) cuts.add(offset).add(offset + length);
  const edges = [...cuts].sort((a, b) => a - b);
  return edges.slice(0, -1).map((from, index) => {
    const piece = text.slice(from, edges[index + 1]);
    const covering = entities.filter(({ offset, length }) => offset <= from && from < offset + length);
    covering.sort((a, b) => a.length - b.length);
    return covering.reduce((inner, entity) => wrap(inner, entity, text), document.createTextNode(piece));
  });
}

/** What of the entities, but for `without`, stands from `start` to `end`, counted from there. */
function clipped(entities, without, start, end) {
  return entities.flatMap((entity) => {
    const from = Math.max(entity.offset, start);
    const length = Math.min(entity.offset + entity.length, end) - from;
    return entity === without || length <= 0 ? [] : [{ ...entity, offset: from - start, length }];
  });
}

function wrap(inner, entity, text) {
  const whole = text.slice(entity.offset, entity.offset + entity.length);
  switch (entity.type) {
    case "url":
    case "text_link":
      return link(inner, () => openLink(entity.url ?? whole, showPack));
    case "bot_command":
      return link(inner, () => say(whole));
    case "mention":
      return h("span", { class: "mention" }, inner);
    case "spoiler":
      return h("span", { class: "spoiler", onclick: (event) => event.currentTarget.classList.add("shown") }, inner);
    default:
      return tags[entity.type] ? h(tags[entity.type], {}, inner) : inner;
  }
}

function link(inner, onclick) {
  return h("button", { class: "link", onclick }, inner);
}

/** One line about a message for the list of chats. */
export function summary(message) {
  if (!message) return words().noMessages;
  const mine = isMine(message) && local.tab === "guest" ? "→ " : "";
  if (message.sticker) return `${mine}${message.sticker.emoji ?? ""} ${words().sticker}`;
  if (message.photo) return `${mine}${words().photo}${message.caption ? ` · ${message.caption}` : ""}`;
  return mine + (message.text ?? message.caption ?? words().file);
}
