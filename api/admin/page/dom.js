// Building elements. Whatever a guest or visitor wrote becomes text here, never markup.
const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, any>} props attributes; `on…` are listeners, `data` is a dataset, null and false are left out
 * @param {...any} children nodes, texts, lists of them; null and false are left out
 */
export const h = (tag, props = {}, ...children) => fill(document.createElement(tag), props, children);

/** As `h`, for SVG. */
export const s = (tag, props = {}, ...children) => fill(document.createElementNS(SVG, tag), props, children);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Puts new content in place of the old; who had the focus keeps it, by `id` or `data-key`. */
export function swap(root, ...children) {
  const focused = document.activeElement;
  const key = root.contains(focused) ? focused.id || focused.dataset.key : "";
  root.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!key) return;
  const again = root.querySelector(`[id="${CSS.escape(key)}"], [data-key="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
}

export const card = (title, aside, ...content) =>
  h("section", { class: "card" }, h("header", {}, h("h2", {}, title), aside), content);

export const tag = (tone, text) => h("span", { class: "tag", data: { tone } }, text);
export const dot = (level, words) => h("span", { class: "dot", data: { level }, role: "img", "aria-label": words });
export const empty = (text) => h("p", { class: "empty" }, text);

/** A button that is off while its work runs. */
export function action(text, work, { kind = "", key = text, label = null } = {}) {
  const button = h("button", { type: "button", class: kind, data: { key }, "aria-label": label }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await work();
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/**
 * Asks in a dialog; a refusal of the server is shown at the field it blames.
 * @param {string} title
 * @param {any[]} fields made by `field`
 * @param {string} verb on the button that sends
 * @param {(values: Record<string, any>) => Promise<unknown>} send
 */
export function askFor(title, fields, verb, send, { danger = false, keepOpen = false } = {}) {
  const fault = h("p", { class: "bad", role: "alert" });
  const form = h(
    "form",
    { class: "form", method: "dialog" },
    fields,
    fault,
    h(
      "div",
      { class: "end" },
      h("button", { type: "button", onclick: () => dialog.close() }, keepOpen ? "Close" : "Cancel"),
      h("button", { type: "submit", class: danger ? "danger" : "main" }, verb),
    ),
  );
  const dialog = h("dialog", { "aria-label": title }, h("h2", {}, title), form);
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    button.disabled = true;
    showFaults(form, {});
    fault.textContent = "";
    try {
      await send(await valuesOf(form));
      if (!keepOpen) dialog.close();
    } catch (error) {
      fault.textContent = error.message;
      showFaults(form, error.fields ?? {});
    } finally {
      button.disabled = false;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

let fieldCount = 0;

/** A labelled input with room for what is wrong with it. `input` has a `name`. */
export function field(label, input, hint = null) {
  const id = `field-${++fieldCount}`;
  input.id ||= id;
  input.setAttribute("aria-describedby", `${id}-about`);
  return h(
    "div",
    { class: "field", data: { field: input.name } },
    h("label", { for: input.id }, label),
    input,
    h("p", { id: `${id}-about` }, hint && h("span", { class: "soft small" }, hint), h("span", { class: "fault" })),
  );
}

export function showFaults(form, faults) {
  for (const box of form.querySelectorAll(".field")) {
    const fault = faults[box.dataset.field];
    box.querySelector(".fault").textContent = fault ? ` ${fault}` : "";
    box.querySelector("input, textarea, select")?.setAttribute("aria-invalid", String(Boolean(fault)));
  }
}

/** What a form holds; a chosen file as base64. */
export async function valuesOf(form) {
  const values = {};
  for (const input of form.elements) {
    if (!input.name) continue;
    if (input.type === "checkbox") values[input.name] = input.checked;
    else if (input.type === "file") values[input.name] = input.files[0] ? await base64Of(input.files[0]) : undefined;
    else if (input.type === "number") values[input.name] = input.value === "" ? null : Number(input.value);
    else values[input.name] = input.value;
  }
  return values;
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ""));
    reader.onerror = () => reject(new Error("The file could not be read."));
    reader.readAsDataURL(file);
  });
}

/** The latest word, for a moment. */
export function toast(text, tone = "plain") {
  const note = h("p", { class: "toast", data: { tone } }, text);
  document.getElementById("toasts").replaceChildren(note);
  setTimeout(() => note.remove(), tone === "bad" ? 9000 : 4000);
}
