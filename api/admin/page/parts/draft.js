// What was typed into a view's form and not saved yet: it outlives a redraw, and is not left behind without a word.
import { isChanged } from "./form.js";

const MARK = "data-draft";

/**
 * Keeps one form of a view over redraws. What was typed stands on what was saved when it was typed: so whoever saves it
 * hears of others who saved meanwhile, however often the page was drawn in between.
 * @template Saved
 */
export function draft() {
  /** @type {{form: HTMLFormElement, base: Saved} | null} */
  let last = null;
  return {
    /** What the next form shows as saved. @param {Saved} saved as it was just loaded */
    baseOver: (saved) => (last && isTouched(last.form) ? last.base : saved),

    /** What the form in the page stands on, which a save of it has moved on. @param {Saved} shown as the form was drawn */
    baseNow: (shown) => last?.base ?? shown,

    /** The form takes over what was typed into the one before. @param {HTMLFormElement} form @param {Saved} base */
    shown(form, base) {
      form.setAttribute(MARK, "");
      if (last && isTouched(last.form)) carry(last.form, form);
      last = { form, base };
    },

    /** A part of it was saved: what else was typed stands on this. @param {Saved} saved */
    rebase(saved) {
      if (last) last.base = saved;
    },

    /**
     * The form is sent as it is now. Once it is saved, what was sent is no longer something typed; what was typed since
     * then is. @returns {(saved: Saved) => void}
     */
    sending() {
      const sent = last ? held(last.form) : new Map();
      return (saved) => {
        if (!last) return;
        for (const input of inputsOf(last.form)) if (sent.has(input.name)) settle(input, sent.get(input.name));
        last.base = saved;
      };
    },

    /** It was given up: the next form is as it is loaded. */
    drop() {
      last?.form.removeAttribute(MARK);
      last = null;
    },
  };
}

/** Would something that was typed be lost? @param {Element} root */
export const hasDrafts = (root) => [...root.querySelectorAll(`form[${MARK}]`)].some(isTouched);

/** They may be lost: nobody is asked again, however long the next view takes. @param {Element} root */
export function giveUpDrafts(root) {
  for (const form of root.querySelectorAll(`form[${MARK}]`)) form.removeAttribute(MARK);
}

/** One that has left the page was given up. @param {Element} form */
const isTouched = (form) => form instanceof HTMLFormElement && form.isConnected && [...form.elements].some(isChanged);

/** @param {HTMLFormElement} form */
const inputsOf = (form) => [...form.elements].filter((element) => element instanceof HTMLInputElement);

/** What is in the inputs, by their names. @param {HTMLFormElement} form */
const held = (form) => new Map(inputsOf(form).map((input) => [input.name, contentOf(input)]));

/** @param {HTMLInputElement} input */
function contentOf(input) {
  if (input.type === "file") return input.files?.[0];
  return input.type === "checkbox" ? input.checked : input.value;
}

/** This value was saved. @param {HTMLInputElement} input @param {ReturnType<typeof contentOf>} value */
function settle(input, value) {
  if (typeof value === "boolean") input.defaultChecked = value;
  else if (typeof value === "string") input.defaultValue = value;
  else if (value && value === contentOf(input)) {
    input.value = "";
    input.dispatchEvent(new Event("change"));
  }
}

/** @param {HTMLFormElement} from @param {HTMLFormElement} to */
function carry(from, to) {
  for (const old of inputsOf(from).filter(isChanged)) {
    const next = to.elements.namedItem(old.name);
    if (!(next instanceof HTMLInputElement)) continue;
    if (old.type === "checkbox") next.checked = old.checked;
    else if (old.type === "file") next.files = old.files;
    else next.value = old.value;
    // The file's name is shown by whoever hears of it.
    next.dispatchEvent(new Event("change"));
  }
}
