// What is asked in a dialog, and the latest word at the bottom.
import { say } from "../lang.js";
import { Refusal } from "../server.js";
import { byId, h } from "./dom.js";
import { showFaults, UNJUDGED, valuesOf } from "./form.js";

/** @typedef {import("./form.js").Values} Values */

const TOAST_MS = 4000;
/** What went wrong is read more slowly. */
const BAD_TOAST_MS = 9000;

/** What `send` answers when the dialog has to stay. */
export const STAY = Symbol("stay");

/**
 * Asks in a dialog; a refusal of the server is shown at the field it blames.
 * @param {string} title
 * @param {import("./dom.js").Child[]} fields made by `field`
 * @param {string} verb on the button that sends
 * @param {(values: Values) => Promise<unknown>} send the dialog closes after it, unless it answers `STAY`
 * @param {{danger?: boolean, closes?: boolean, more?: import("./dom.js").Child}} [options] `closes`: there is nothing
 *   to cancel, the dialog is closed when all is seen; `more`: buttons before the others
 */
export function askFor(title, fields, verb, send, { danger = false, closes = false, more = null } = {}) {
  const fault = h("p", { class: "bad", role: "alert" });
  const submit = h("button", { type: "submit", class: danger ? "danger" : "main" }, verb);
  const leave = h("button", { type: "button", onclick: () => dialog.close() }, say(closes ? "close" : "cancel"));
  const form = h(
    "form",
    { class: "form", method: "dialog", ...UNJUDGED },
    fields,
    fault,
    h("div", { class: "end" }, more, leave, submit),
  );
  const dialog = h("dialog", { "aria-label": title }, h("h2", {}, title), form);
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      const answer = await trySaving(form, fault, async () => send(await valuesOf(form)));
      if (answer.done && answer.value !== STAY) dialog.close();
    } finally {
      submit.disabled = false;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Runs what saves a form; what was refused is said in the form. A second press while it runs does nothing: it would save
 * the same on what the first has just changed, and be told of somebody else.
 * @template T
 * @param {HTMLFormElement} form
 * @param {HTMLElement} fault where the sentence stands
 * @param {() => Promise<T>} work
 * @returns {Promise<{done: true, value: T} | {done: false}>}
 */
export async function trySaving(form, fault, work) {
  if (form.ariaBusy) return { done: false };
  showFaults(form, {});
  fault.textContent = "";
  form.ariaBusy = "true";
  try {
    return { done: true, value: await work() };
  } catch (error) {
    fault.textContent = messageOf(error);
    if (error instanceof Refusal) showFaults(form, error.fields);
    return { done: false };
  } finally {
    form.ariaBusy = null;
  }
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** The latest word, for a moment. @param {string} text */
export function toast(text, tone = "plain") {
  const note = h("p", { class: "toast", data: { tone } }, text);
  byId("toasts", HTMLElement).replaceChildren(note);
  setTimeout(() => note.remove(), tone === "bad" ? BAD_TOAST_MS : TOAST_MS);
}

/**
 * Does something, says so, or says why it was refused; then everything is asked anew.
 * @param {Promise<unknown>} work
 * @param {string | null} done
 * @param {() => unknown} refresh
 */
export async function tell(work, done, refresh) {
  try {
    await work;
    if (done) toast(done);
  } catch (error) {
    toast(messageOf(error), "bad");
  }
  await refresh();
}
