/** The guest's first screen: who holds the phone, the chat with the bot, and the stickers that were added. */
import { addGuestBox, scanBox } from "./dialogs.js";
import { avatar, botAvatar, clock, fileUrl, h, icon, redraw } from "./dom.js";
import { summary } from "./message.js";
import { showPack } from "./pack.js";
import { change, guest, hasNews, local, remote, words } from "./store.js";

export function listView() {
  const body = h("div", { class: "list" });
  const people = h("div", { class: "people" });
  const title = h("h1", {});
  const scan = h("button", { class: "scan", onclick: scanBox }, icon("scan"), h("span", {}));
  const node = h("div", { class: "view home" }, h("header", { class: "header large" }, title), people, body, scan);
  function update() {
    title.textContent = words().chats;
    scan.querySelector("span").textContent = words().scan;
    redraw(people, ...remote.guests.map(personView), addView());
    redraw(body, ...[chatRow(), packsView()].filter(Boolean));
  }
  return { node, update };
}

function personView({ id, name }) {
  const chosen = id === local.guestId;
  const news = !chosen && hasNews(remote.chats[id], id);
  const choose = () => change({ guestId: id });
  return h(
    "button",
    { class: "person", "aria-pressed": String(chosen), onclick: choose },
    h("span", { class: news ? "dot" : "" }, avatar(id, name)),
    h("span", {}, name),
  );
}

function addView() {
  return h(
    "button",
    { class: "person add", onclick: addGuestBox },
    h("span", {}, h("span", { class: "avatar" }, icon("plus"))),
    h("span", {}, words().add),
  );
}

function chatRow() {
  const chat = remote.chats[local.guestId];
  if (!guest() || !chat) return undefined;
  const last = chat.messages.at(-1);
  return h(
    "button",
    { class: "chat-row", onclick: () => change({ view: "chat" }) },
    botAvatar(),
    h(
      "span",
      { class: "chat-text" },
      h("span", { class: "line" }, h("b", {}, remote.bot.name), h("time", {}, last ? clock(last.date) : "")),
      h(
        "span",
        { class: "line" },
        h("span", { class: "last" }, summary(last)),
        hasNews(chat, local.guestId) && h("span", { class: "badge" }),
      ),
    ),
  );
}

function packsView() {
  const names = (local.added[local.guestId] ?? []).filter((name) => remote.sets[name]);
  if (names.length === 0) return undefined;
  return h(
    "section",
    { class: "shelf" },
    h("h2", {}, words().packs),
    names.map((name) => {
      const { title, stickers } = remote.sets[name];
      return h(
        "button",
        { class: "shelf-row", onclick: () => showPack(name) },
        h(
          "span",
          { class: "line" },
          h("b", {}, title),
          h("span", { class: "count" }, words().stickers(stickers.length)),
        ),
        h(
          "span",
          { class: "strip" },
          stickers.slice(0, 5).map((one) => h("img", { src: fileUrl(one.fileId), alt: one.emoji })),
        ),
      );
    }),
  );
}
