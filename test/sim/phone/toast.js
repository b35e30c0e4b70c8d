/** Short words over the screen: a toast goes by itself, an alert waits for a tap. */
import { h } from "./dom.js";

const TOAST_MS = 3200;

export function toast(text) {
  const note = h("div", { class: "toast", role: "status" }, text);
  document.querySelector(".phone").append(note);
  setTimeout(() => note.classList.add("gone"), TOAST_MS);
  setTimeout(() => note.remove(), TOAST_MS + 400);
}

export function alertBox(text) {
  const box = h(
    "div",
    { class: "veil", role: "alertdialog", "aria-modal": "true" },
    h("div", { class: "box" }, h("p", {}, text), h("button", { class: "wide", onclick: () => box.remove() }, "OK")),
  );
  document.querySelector(".phone").append(box);
  box.querySelector("button").focus();
}
