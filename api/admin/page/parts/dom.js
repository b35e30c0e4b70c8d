// Building elements. Whatever a guest or visitor wrote becomes text here, never markup.
const SVG = "http://www.w3.org/2000/svg";

/** Nodes, texts, lists of them; null and false are left out. @typedef {Node | string | number | null | undefined | false | Child[]} Child */
/** Attributes; `on…` are listeners, `data` is a dataset, null and false are left out. @typedef {Record<string, unknown>} Props */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} props
 * @param {...Child} children
 */
export const h = (tag, props = {}, ...children) => fill(document.createElement(tag), props, children);

/**
 * As `h`, for SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} props
 * @param {...Child} children
 */
export const s = (tag, props = {}, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Props} props
 * @param {Child[]} children
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "data") Object.assign(element.dataset, value);
    // As saved: what differs from it was typed.
    else if (name === "value" && "defaultValue" in element) element.defaultValue = value;
    else if (name === "checked" && "defaultChecked" in element) element.defaultChecked = value;
    else if (name === "value" || name === "selected") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

/** @param {Child} child @returns {(Node | string)[]} */
function nodesOf(child) {
  if (Array.isArray(child)) return child.flatMap(nodesOf);
  if (child === null || child === undefined || child === false) return [];
  return [child instanceof Node ? child : String(child)];
}

/**
 * Puts new content in place of the old; who had the focus keeps it, and in a field the place where they write; what was
 * unfolded stays so, and what was typed into a search stays typed, by `id` or `data-key`.
 * @param {Element} root
 * @param {...Child} children
 */
export function swap(root, ...children) {
  const focused = document.activeElement;
  const key = root.contains(focused) ? keyOf(focused) : "";
  const unfolded = [...root.querySelectorAll("details[open]")].map(keyOf).filter(Boolean);
  const searches = [.../** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input[type=search]"))];
  const caret = focused instanceof HTMLInputElement ? focused.selectionEnd : null;
  root.replaceChildren(...nodesOf(children));
  for (const { id, value, defaultValue } of searches) {
    const next = find(root, id);
    if (next instanceof HTMLInputElement && value !== defaultValue) next.value = value;
  }
  for (const name of unfolded) find(root, name)?.setAttribute("open", "");
  const next = key ? find(root, key) : null;
  next?.focus({ preventScroll: true });
  // A number or a colour has none.
  if (next instanceof HTMLInputElement && caret !== null) next.setSelectionRange(caret, caret);
}

/** @param {Element | null} element */
export const keyOf = (element) => (element instanceof HTMLElement && element.dataset.key) || element?.id || "";
/** @param {Element} root @param {string} key @returns {HTMLElement | null} */
const find = (root, key) => root.querySelector(`[id="${CSS.escape(key)}"], [data-key="${CSS.escape(key)}"]`);

/**
 * @template {Element} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}

/** @param {string} title @param {Child} aside @param {...Child} content */
export const card = (title, aside, ...content) =>
  h("section", { class: "card" }, h("header", {}, h("h2", {}, title), aside), content);

/** @param {string} tone @param {string} text */
export const tag = (tone, text) => h("span", { class: "tag", data: { tone } }, text);
/** @param {string} level green, amber or red @param {string} words what the colour means */
export const dot = (level, words) => h("span", { class: "dot", data: { level }, role: "img", "aria-label": words });
/** @param {string} text */
export const empty = (text) => h("p", { class: "empty" }, text);
/** @param {string} text */
export const soft = (text) => h("span", { class: "soft small" }, text);
/** @param {string} href @param {string} text */
export const button = (href, text) => h("a", { class: "button", href }, text);

/**
 * A button that is off while its work runs.
 * @param {string} text
 * @param {() => unknown} work
 * @param {{kind?: string, key?: string, label?: string | null}} [more] `key` keeps the focus over a refresh
 */
export function action(text, work, { kind = "", key = text, label = null } = {}) {
  const made = h("button", { type: "button", class: kind, data: { key }, "aria-label": label }, text);
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await work();
    } finally {
      made.disabled = false;
    }
  });
  return made;
}
