// An outfit is added, changed or taken away.
import { say } from "../lang.js";
import { saveOrAsk } from "../parts/conflict.js";
import { askFor, STAY, toast } from "../parts/dialog.js";
import { action, h } from "../parts/dom.js";
import { field, PICTURES } from "../parts/form.js";
import { get, post, put, remove } from "../server.js";
import { titleOf } from "./outfits.js";

/** @typedef {import("../answers.ts").Outfit} Outfit */
/** @typedef {import("../parts/form.js").Values} Values */
/** @typedef {() => unknown} Refresh */

const TITLES = /** @type {const} */ (["title_ru", "title_uz", "title_en"]);
const TITLE_LENGTH = 40;
const PROMPT_LENGTH = 1000;
const ID_LENGTH = 32;

/** @param {Outfit | null} outfit null: a new one @param {Refresh} refresh */
export function editOutfit(outfit, refresh) {
  const place = h("div", {});
  const dialog = askFor(
    outfit ? say("outfit.edit", { title: titleOf(outfit) }) : say("outfit.new"),
    [...fieldsFor(outfit), place],
    say("save"),
    async (values) => {
      if (outfit) return (await change(outfit, values)) || STAY;
      await post("templates", { ...values, colours: listed(values.colours) });
      return done();
    },
    {
      more:
        outfit && action(say("outfit.delete"), () => drop(outfit, () => dialog.close(), refresh), { kind: "danger" }),
    },
  );

  /** @param {Outfit} base @param {Values} values */
  function change(base, values) {
    const edits = editsOf(base, values);
    return saveOrAsk({
      stale: "outfit.stale",
      base,
      latest: async () => (await get("templates")).templates.find(({ id }) => id === base.id),
      fieldsOf: (saved) => shown(saved, base),
      mine: mineIn(values),
      labels: labels(),
      place,
      send: (version) => put(`templates/${base.id}`, { ...edits, version }),
      done,
      take: (theirs) => {
        dialog.close();
        refresh();
        editOutfit(theirs, refresh);
      },
    });
  }

  function done() {
    dialog.close();
    toast(say("saved"));
    refresh();
  }
}

/** @param {Outfit | null} outfit */
function fieldsFor(outfit) {
  const id = h("input", {
    name: "id",
    required: true,
    maxlength: ID_LENGTH,
    autocomplete: "off",
    autocapitalize: "none",
  });
  const prompt = { name: "prompt", required: true, maxlength: PROMPT_LENGTH, value: outfit?.prompt ?? "" };
  const picture = h("input", { name: "picture", type: "file", accept: PICTURES });
  return [
    !outfit && field(say("outfit.id"), id, say("outfit.id_about")),
    h(
      "div",
      { class: "pair" },
      TITLES.map((name) => {
        const value = outfit?.[name] ?? "";
        const input = h("input", { name, value, required: true, maxlength: TITLE_LENGTH, autocomplete: "off" });
        return field(say(`outfit.${name}`), input);
      }),
    ),
    field(say("outfit.prompt"), h("textarea", prompt), say("outfit.prompt_about")),
    field(
      say("outfit.colours"),
      h("input", { name: "colours", value: outfit?.colours.join(" ") ?? "", autocomplete: "off" }),
      say("outfit.colours_about"),
    ),
    field(say(outfit ? "outfit.another" : "outfit.picture"), picture, say("outfit.picture_about")),
  ];
}

/** Only what was changed here: what somebody else changed stays theirs. @param {Outfit} base @param {Values} values */
function editsOf(base, values) {
  const { colours, picture } = values;
  const texts = /** @type {const} */ (["prompt", ...TITLES]).filter((name) => values[name] !== base[name]);
  return {
    ...Object.fromEntries(texts.map((name) => [name, values[name]])),
    ...(listed(colours).join() === base.colours.join() ? {} : { colours: listed(colours) }),
    ...(picture ? { picture } : {}),
  };
}

/** @param {unknown} text */
const listed = (text) =>
  String(text)
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);

const labels = () => ({
  ...Object.fromEntries(TITLES.map((name) => [name, say(`outfit.${name}`)])),
  prompt: say("outfit.prompt"),
  colours: say("outfit.colours"),
  picture: say("outfit.picture"),
  enabled: say("outfit.enabled"),
});

/** @param {Outfit} saved @param {Outfit} base */
const shown = (saved, base) => ({
  title_ru: saved.title_ru,
  title_uz: saved.title_uz,
  title_en: saved.title_en,
  prompt: saved.prompt,
  colours: saved.colours.join(" "),
  picture: say(saved.image_url === base.image_url ? "conflict.same_picture" : "conflict.picture"),
  enabled: say(saved.enabled ? "outfits.on" : "outfits.off"),
});

/** @param {Values} values @returns {import("../parts/conflict.js").Fields} */
const mineIn = ({ picture, ...values }) => ({
  ...Object.fromEntries([...TITLES, "prompt"].map((name) => [name, String(values[name] ?? "")])),
  colours: listed(values.colours).join(" "),
  ...(picture ? { picture: say("conflict.picture") } : {}),
});

/** @param {Outfit} outfit @param {() => void} gone @param {Refresh} refresh */
function drop(outfit, gone, refresh) {
  askFor(
    say("outfit.delete_ask", { title: titleOf(outfit) }),
    [h("p", {}, say("outfit.delete_about"))],
    say("outfit.delete"),
    async () => {
      await remove(`templates/${outfit.id}`);
      gone();
      toast(say("outfit.deleted"));
      refresh();
    },
    { danger: true },
  );
}
