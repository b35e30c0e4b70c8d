/** Sheets that slide over the screen: scan a code, add a guest, settings of a chat. */
import { addGuest, setBlocked, setLanguage, startToken } from "./actions.js";
import { h, icon } from "./dom.js";
import { change, guest, local, openChat, words } from "./store.js";
import { languages } from "./texts.js";

/** Opens a sheet with a title; gives back what closes it. Escape and a tap beside it close it too. */
export function sheet(title, subtitle, ...content) {
  const close = () => veil.remove();
  const veil = h(
    "div",
    { class: "veil low", role: "dialog", "aria-modal": "true", "aria-label": title },
    h(
      "div",
      { class: "sheet" },
      h(
        "header",
        { class: "sheet-head" },
        h("div", {}, h("h2", {}, title), subtitle && h("p", { class: "sub" }, subtitle)),
        h("button", { class: "round", onclick: close, "aria-label": words().close }, icon("close")),
      ),
      ...content,
    ),
  );
  veil.addEventListener("click", (event) => event.target === veil && close());
  veil.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.querySelector(".phone").append(veil);
  veil.querySelector("input, textarea, button").focus();
  return close;
}

export function scanBox() {
  const input = h("textarea", {
    class: "input",
    rows: 3,
    "aria-label": words().scanTitle,
    placeholder: `${location.origin}/…`,
  });
  const fault = h("p", { class: "fault", role: "alert" });
  const open = () => {
    const token = startToken(input.value);
    if (!token) {
      fault.textContent = words().scanBad;
      return;
    }
    close();
    change({ tab: "guest", view: "chat", start: token });
  };
  const close = sheet(
    words().scanTitle,
    undefined,
    h("p", {}, words().scanHow),
    input,
    fault,
    h("button", { class: "wide", onclick: open }, words().open),
  );
  input.addEventListener("paste", () => setTimeout(() => startToken(input.value) && open()));
}

export function addGuestBox() {
  const name = h("input", {
    class: "input",
    maxLength: 40,
    autocomplete: "off",
    placeholder: words().name,
    "aria-label": words().name,
  });
  let lang = guest()?.lang ?? "ru";
  const add = () => {
    close();
    addGuest(name.value.trim() || words().guest, lang);
  };
  name.addEventListener("keydown", (event) => event.key === "Enter" && add());
  const close = sheet(
    words().addGuest,
    undefined,
    name,
    languageChoice(lang, (chosen) => (lang = chosen)),
    h("button", { class: "wide", onclick: add }, words().add),
  );
}

export function chatMenu() {
  if (local.tab === "guest") guestMenu();
  else groupMenu();
}

function guestMenu() {
  const blocked = openChat()?.botStatus === "kicked";
  const block = () => {
    close();
    setBlocked(!blocked);
  };
  const close = sheet(
    guest()?.name ?? "",
    `@${guest()?.username}`,
    h("h3", {}, words().language),
    languageChoice(guest()?.lang, (lang) => {
      close();
      setLanguage(lang);
    }),
    h(
      "button",
      { class: `wide ${blocked ? "" : "danger"}`, onclick: block },
      icon("stop"),
      blocked ? words().unblock : words().block,
    ),
  );
}

function groupMenu() {
  const { tab } = local;
  const toggle = h("input", { type: "checkbox", checked: local.anonymous[tab] === true });
  toggle.addEventListener("change", () => change({ anonymous: { ...local.anonymous, [tab]: toggle.checked } }));
  sheet(
    openChat()?.title ?? "",
    openChat()?.member?.name,
    h("label", { class: "switch" }, h("span", {}, words().anonymous), toggle),
  );
}

function languageChoice(current, choose) {
  const buttons = Object.entries(languages).map(([lang, label]) => {
    const pick = () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(lang);
    };
    const button = h("button", { class: "pill", "aria-pressed": String(lang === current), onclick: pick }, label);
    return button;
  });
  return h("div", { class: "pills" }, buttons);
}
