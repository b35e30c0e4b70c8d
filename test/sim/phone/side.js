/** Beside the phone, where there is room: the guests on the left, the booth's calls on the right. */
import { addGuestBox } from "./dialogs.js";
import { avatar, h, icon, redraw } from "./dom.js";
import { change, hasNews, local, openChat, remote, words } from "./store.js";
import { languages } from "./texts.js";

const tabIcons = { guest: "person", operators: "wrench", sales: "briefcase" };

export function drawTabs(nav) {
  redraw(
    nav,
    ...Object.entries(tabIcons).map(([tab, name]) => {
      const chosen = tab === local.tab;
      return h(
        "button",
        { role: "tab", "aria-selected": String(chosen), onclick: () => change({ tab }) },
        icon(name),
        h("span", {}, words()[tab]),
        !chosen && tabHasNews(tab) && h("span", { class: "badge" }),
      );
    }),
  );
}

function tabHasNews(tab) {
  if (tab === "guest") return remote.guests.some(({ id }) => hasNews(remote.chats[id], id));
  return hasNews(remote[tab], remote[tab]?.member?.id);
}

export function drawCast(aside) {
  redraw(
    aside,
    h("h2", {}, words().whoHolds),
    h("div", { class: "cards" }, remote.guests.map(card)),
    h(
      "button",
      { class: "card add", onclick: addGuestBox },
      h("span", { class: "avatar" }, icon("plus")),
      words().addGuest,
    ),
    h("p", { class: "hint" }, words().hint),
  );
}

function card({ id, name, lang }) {
  const chat = remote.chats[id];
  const chosen = id === local.guestId && local.tab === "guest";
  const note = chat?.botStatus === "kicked" ? words().blocked : languages[lang];
  const choose = () => change({ guestId: id, tab: "guest", view: local.view });
  return h(
    "button",
    { class: "card", "aria-pressed": String(chosen), onclick: choose },
    avatar(id, name),
    h("span", { class: "card-text" }, h("b", {}, name), h("small", {}, note ?? "")),
    !chosen && hasNews(chat, id) && h("span", { class: "badge" }),
  );
}

export function drawWire(aside) {
  const lines = remote.calls.toReversed().map(({ target, chat, outcome, ms }) => {
    const [system, method = ""] = target.split(":");
    const kind = outcome.startsWith("ok") ? "fine" : outcome === "pending" ? "open" : "bad";
    return h(
      "li",
      { class: kind },
      h("b", {}, method || system),
      h("span", { class: "whom" }, chatName(chat)),
      h("span", { class: "ms" }, ms === undefined ? "…" : `${ms} ms`),
      kind === "bad" && h("small", {}, outcome),
    );
  });
  aside.replaceChildren(h("h2", {}, words().wire), h("p", { class: "hint" }, words().wireHint), h("ol", {}, lines));
}

function chatName(chat) {
  const known = remote.guests.find(({ id }) => id === Number(chat));
  return known?.name ?? (Number(chat) === openChat()?.id ? openChat().title : undefined) ?? groupName(chat) ?? "";
}

function groupName(chat) {
  for (const tab of ["operators", "sales"]) if (remote[tab]?.id === Number(chat)) return remote[tab].title;
  return typeof chat === "string" ? chat : undefined;
}
