/** A chat on the screen: header, messages and what stands below them. */
import { say, sendFile, sendPhoto, sendSticker, setBlocked } from "./actions.js";
import { chatMenu } from "./dialogs.js";
import { avatar, botAvatar, h, icon } from "./dom.js";
import { messageView } from "./message.js";
import { change, guest, local, markSeen, openChat, remote, words } from "./store.js";

const actionWords = { upload_photo: "sendingPhoto", choose_sticker: "choosingSticker" };
const NEAR_BOTTOM_PX = 120;

/** Makes the view of the open chat; `update` draws news into it and keeps what is being typed. */
export function chatView() {
  const status = h("div", { class: "status" });
  const list = h("div", { class: "messages", "aria-live": "polite" });
  const scroller = h("div", { class: "scroller" }, list);
  const footer = h("footer", { class: "footer" });
  const empty = h("div", { class: "empty" }, inGroup() ? false : botAvatar(), h("p", {}, words().noMessages));
  const node = h("div", { class: "view chat" }, header(status), scroller, footer);
  const drawn = new Map();
  let footerKind;

  function update() {
    const chat = openChat();
    if (!chat) return;
    status.replaceChildren(statusText(chat));
    const first = drawn.size === 0;
    const atBottom = first || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX;
    const fresh = drawMessages(list, drawn, chat.messages);
    if (chat.messages.length === 0) list.append(empty);
    else empty.remove();
    if (fresh && atBottom) scroller.scrollTop = scroller.scrollHeight;
    for (const picture of list.querySelectorAll("img:not([data-watched])")) {
      picture.dataset.watched = "1";
      picture.addEventListener("load", () => atBottom && scroller.scrollTo(0, scroller.scrollHeight));
    }
    const kind = footerKindOf(chat);
    if (kind !== footerKind) {
      footerKind = kind;
      footer.replaceChildren(...footerContent(chat));
      scroller.scrollTop = scroller.scrollHeight;
    }
    markSeen(chat);
  }
  return { node, update };
}

function header(status) {
  const title = inGroup() ? openChat()?.title : remote.bot.name;
  const back = h(
    "button",
    { class: "round", onclick: () => change({ view: "list" }), "aria-label": words().back },
    icon("back"),
  );
  const more = h("button", { class: "round", onclick: chatMenu, "aria-label": words().more }, icon("more"));
  return h(
    "header",
    { class: "header" },
    inGroup() ? h("span", { class: "gap" }) : back,
    inGroup() ? avatar(openChat()?.id ?? 0, title ?? "?") : botAvatar(),
    h("div", { class: "titles" }, h("h1", {}, title ?? ""), status),
    more,
  );
}

const inGroup = () => local.tab !== "guest";

function statusText(chat) {
  if (chat.botStatus === "kicked") return words().blocked;
  const left = (chat.action?.untilMs ?? 0) - Date.now();
  if (left > 0) {
    setTimeout(() => change({}), left + 50);
    return words()[actionWords[chat.action.name] ?? "typing"];
  }
  return local.tab === "guest" ? words().bot : words().members;
}

/** Draws only what changed, so that pictures do not flicker and selections stay. True if a message is new. */
function drawMessages(list, drawn, messages) {
  let fresh = false;
  const wanted = new Set(messages.map((message) => message.message_id));
  for (const [id, { node }] of drawn)
    if (!wanted.has(id)) {
      node.remove();
      drawn.delete(id);
    }
  messages.forEach((message, index) => {
    const text = JSON.stringify(message);
    const known = drawn.get(message.message_id);
    if (known?.text === text) return;
    const node = messageView(message);
    if (known) known.node.replaceWith(node);
    else {
      if (index > 0 || list.children.length > 0) node.classList.add("new");
      list.append(node);
      fresh = true;
    }
    drawn.set(message.message_id, { text, node });
  });
  return fresh;
}

function footerKindOf(chat) {
  const lang = guest()?.lang;
  if (chat.botStatus === "kicked" && local.tab === "guest") return `blocked ${lang}`;
  if (local.tab === "guest" && local.start) return `start ${local.start} ${local.guestId} ${lang}`;
  if (local.tab === "guest" && chat.messages.length === 0) return `first ${lang}`;
  return `composer ${lang} ${JSON.stringify(chat.commands)}`;
}

function footerContent(chat) {
  const [kind] = footerKindOf(chat).split(" ");
  if (kind === "blocked") return [wide(words().unblock, () => setBlocked(false))];
  if (kind === "first") return [wide(words().start, () => say("/start"))];
  if (kind === "start") return [startPanel()];
  return [composer(chat)];
}

function wide(label, onclick) {
  return h("button", { class: "wide", onclick }, label);
}

/** After a scan: whose phone it was, and the START button. */
function startPanel() {
  const people = remote.guests.map((one) => {
    const chosen = one.id === local.guestId;
    return h(
      "button",
      { class: "chip", "aria-pressed": String(chosen), onclick: () => change({ guestId: one.id }) },
      avatar(one.id, one.name, "tiny"),
      one.name,
    );
  });
  return h(
    "div",
    { class: "start" },
    h(
      "div",
      { class: "start-head" },
      h("span", {}, remote.guests.length > 1 ? words().whose : words().startHint),
      h(
        "button",
        { class: "round", onclick: () => change({ start: undefined }), "aria-label": words().close },
        icon("close"),
      ),
    ),
    remote.guests.length > 1 && h("div", { class: "chips" }, people),
    wide(words().start, () => say(`/start ${local.start}`)),
  );
}

function composer(chat) {
  const input = h("textarea", { rows: 1, placeholder: words().message, "aria-label": words().message });
  const submit = () => {
    say(input.value);
    input.value = "";
    grow();
  };
  const grow = () => {
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight, 120)}px`;
  };
  input.addEventListener("input", grow);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  const photo = filePicker("image/*", sendPhoto);
  const file = filePicker("", sendFile);
  const attach = h(
    "div",
    { class: "commands", hidden: true },
    [
      ["photo", words().sendPhoto, () => photo.click()],
      ["file", words().sendFile, () => file.click()],
      ["sticker", words().sendSticker, sendSticker],
    ].map(([name, label, onclick]) =>
      h("button", { class: "command attach", onclick }, icon(name), h("span", {}, label)),
    ),
  );
  attach.addEventListener("click", () => (attach.hidden = true));
  const menu = h(
    "div",
    { class: "commands", hidden: true },
    chat.commands.map((command) => commandView(command, () => (menu.hidden = true))),
  );
  const toggle = () => {
    attach.hidden = true;
    menu.hidden = !menu.hidden;
  };
  const toggleAttach = () => {
    menu.hidden = true;
    attach.hidden = !attach.hidden;
  };
  return h(
    "div",
    { class: "composer" },
    menu,
    attach,
    chat.commands.length > 0 &&
      h("button", { class: "menu", onclick: toggle }, icon("menu"), h("span", {}, words().menu)),
    h(
      "div",
      { class: "field" },
      input,
      !inGroup() &&
        h("button", { class: "round clip", onclick: toggleAttach, "aria-label": words().attach }, icon("clip")),
      photo,
      file,
    ),
    h("button", { class: "round go", onclick: submit, "aria-label": words().send }, icon("send")),
  );
}

function filePicker(accept, send) {
  const input = h("input", { type: "file", accept, hidden: true });
  input.addEventListener("change", () => input.files[0] && send(input.files[0]).then(() => (input.value = "")));
  return input;
}

function commandView({ command, description }, done) {
  const name = command.replace(/^\//, "");
  const run = () => {
    say(`/${name}`);
    done();
  };
  return h("button", { class: "command", onclick: run }, h("b", {}, `/${name}`), h("span", {}, description));
}
