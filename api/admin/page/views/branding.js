// The kiosks' look at this event: name, welcome, colours, pictures, and the operators' PIN.
import { say } from "../lang.js";
import { saveOrAsk } from "../parts/conflict.js";
import { toast, trySaving } from "../parts/dialog.js";
import { card, h, soft } from "../parts/dom.js";
import { draft } from "../parts/draft.js";
import { field, isChanged, PICTURES, UNJUDGED, valuesOf } from "../parts/form.js";
import { get, put } from "../server.js";

/** @typedef {import("../answers.ts").Look} Look */
/** @typedef {import("../parts/form.js").Values} Values */
/** @typedef {import("../parts/conflict.js").Fields} Fields */
/** @typedef {() => unknown} Refresh */

/** The booth's own, as the kiosk has them. */
const OWN = { paper: "#fff4e6", ink: "#2b1a40", accent: "#c9245f" };
const TEXTS = /** @type {const} */ (["name", "welcome_ru", "welcome_uz", "welcome_en"]);
const COLOURS = /** @type {const} */ (["paper", "ink", "accent"]);
const PICTURE_NAMES = /** @type {const} */ (["logo", "background"]);
const NAME_LENGTH = 40;
const WELCOME_LENGTH = 80;
const PIN_LENGTH = 8;

/** @type {ReturnType<typeof draft<Look>>} */
const typed = draft();

/** @param {Look} saved @param {Refresh} refresh */
export function branding(saved, refresh) {
  const look = typed.baseOver(saved);
  const fault = h("p", { class: "bad", role: "alert" });
  const place = h("div", {});
  const drops = PICTURE_NAMES.map((name) => look[`${name}_url`] && dropButton(name));
  const submit = h("button", { type: "submit", class: "main", data: { key: "save look" } }, say("look.save"));
  const form = h(
    "form",
    { class: "form", ...UNJUDGED },
    fieldsFor(look),
    fault,
    place,
    h("div", { class: "end" }, drops, submit),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void trySaving(form, fault, async () => {
      const kept = typed.sending();
      return save(editsOf(typed.baseNow(look), form, await valuesOf(form)), kept);
    });
  });
  typed.shown(form, look);
  return card(say("look.title"), soft(say("look.about")), form);

  /** @param {Values} edits @param {(saved: Look) => void} kept what becomes of the rest of the form */
  function save(edits, kept) {
    const base = typed.baseNow(look);
    let words = say("look.saved");
    return saveOrAsk({
      stale: "look.stale",
      base,
      latest: () => get("branding"),
      fieldsOf: (saved) => shown(saved, base),
      mine: mineIn(edits),
      labels: labels(),
      place,
      send: async (version) => {
        const { changed, ...now } = await put("branding", { ...edits, version });
        if (!changed) words = say("unchanged");
        kept(now);
      },
      done: () => {
        toast(words);
        return refresh();
      },
      take: () => {
        typed.drop();
        refresh();
      },
    });
  }

  /** @param {"logo" | "background"} name */
  function dropButton(name) {
    const button = h("button", { type: "button" }, say(`look.drop_${name}`));
    button.addEventListener("click", () => void trySaving(form, fault, () => save({ [name]: null }, typed.rebase)));
    return button;
  }
}

/** @param {Look} look */
function fieldsFor(look) {
  const saved = valuesIn(look);
  /** @param {typeof TEXTS[number]} name */
  const text = (name) => {
    const maxlength = name === "name" ? NAME_LENGTH : WELCOME_LENGTH;
    return h("input", { name, value: saved[name] ?? "", maxlength, autocomplete: "off" });
  };
  /** @param {typeof COLOURS[number]} name */
  const colour = (name) => {
    const input = h("input", { name, type: "color", value: saved[name] ?? OWN[name] });
    // Whoever chooses a colour wants it.
    input.addEventListener("input", () => {
      own.checked = true;
    });
    return input;
  };
  const own = h("input", { name: "own", type: "checkbox", checked: look.colours !== null });
  const pin = {
    name: "pin",
    inputmode: "numeric",
    maxlength: PIN_LENGTH,
    autocomplete: "off",
    placeholder: look.pin_set ? "••••" : "",
  };
  const pinState = say(look.pin_set ? "look.pin_set" : "look.pin_none");
  return [
    field(say("look.name"), text("name"), say("look.name_about")),
    h(
      "div",
      { class: "pair" },
      /** @type {const} */ (["welcome_ru", "welcome_uz", "welcome_en"]).map((name) =>
        field(say(`look.${name}`), text(name)),
      ),
    ),
    field(say("look.own"), own, say("look.own_about")),
    h(
      "div",
      { class: "pair" },
      field(say("look.paper"), colour("paper")),
      field(say("look.ink"), colour("ink")),
      field(say("look.accent"), colour("accent"), say("look.accent_about")),
    ),
    h(
      "div",
      { class: "pair" },
      PICTURE_NAMES.map((name) => {
        const url = look[`${name}_url`];
        const input = h("input", { name, type: "file", accept: PICTURES });
        const now = url && h("img", { class: "thumb", src: url, alt: "" });
        return field(say(url ? `look.another_${name}` : `look.${name}`), input, now);
      }),
    ),
    field(say("look.pin"), h("input", pin), say("look.pin_about", { state: pinState })),
  ];
}

/** What is saved, by the names of the form's fields; colours that are not set are null. @param {Look} look */
const valuesIn = ({ name, welcome, colours }) => ({
  name,
  welcome_ru: welcome.ru,
  welcome_uz: welcome.uz,
  welcome_en: welcome.en,
  paper: colours?.paper ?? null,
  ink: colours?.ink ?? null,
  accent: colours?.accent ?? null,
});

/**
 * Only what was typed here: what else differs, somebody else has saved. The three colours go together.
 * @param {Look} look
 * @param {HTMLFormElement} form
 * @param {Values} values what it holds
 * @returns {Values}
 */
function editsOf(look, form, { own, pin, logo, background, ...values }) {
  const saved = valuesIn(look);
  /** @param {string} name */
  const isTyped = (name) => isChanged(form.elements.namedItem(name));
  const texts = TEXTS.filter((name) => isTyped(name) && String(values[name] ?? "").trim() !== (saved[name] ?? ""));
  const palette = COLOURS.map((name) => [name, own ? values[name] : null]);
  const differs = palette.some(([name, value]) => saved[/** @type {typeof COLOURS[number]} */ (name)] !== value);
  const isRecoloured = differs && ["own", ...COLOURS].some(isTyped);
  return {
    ...Object.fromEntries(texts.map((name) => [name, values[name]])),
    ...(isRecoloured ? Object.fromEntries(palette) : {}),
    ...(pin ? { pin } : {}),
    ...(logo ? { logo } : {}),
    ...(background ? { background } : {}),
  };
}

const labels = () => ({
  ...Object.fromEntries(TEXTS.map((name) => [name, say(`look.${name}`)])),
  ...Object.fromEntries(COLOURS.map((name) => [name, say(`look.${name}`)])),
  ...Object.fromEntries(PICTURE_NAMES.map((name) => [name, say(`look.${name}`)])),
});

/** @param {Look} saved @param {Look} base @returns {Fields} */
function shown(saved, base) {
  const values = valuesIn(saved);
  /** @param {"logo_url" | "background_url"} name */
  const picture = (name) => (saved[name] === base[name] ? say("conflict.same_picture") : say("conflict.picture"));
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, values[name] ?? ""])),
    ...Object.fromEntries(COLOURS.map((name) => [name, values[name] ?? say("look.booths")])),
    logo: picture("logo_url"),
    background: picture("background_url"),
  };
}

/** @param {Values} edits @returns {Fields} */
const mineIn = (edits) =>
  Object.fromEntries(
    Object.entries(edits).map(([name, value]) => {
      if (name === "logo" || name === "background") return [name, value ? say("conflict.picture") : ""];
      return [name, value === null ? say("look.booths") : String(value)];
    }),
  );
