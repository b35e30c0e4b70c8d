// Outfits: the cards of the kiosk, and what the artists are told.
import { language, say } from "../lang.js";
import { tell } from "../parts/dialog.js";
import { action, empty, h, s, tag } from "../parts/dom.js";
import { get, post, put } from "../server.js";
import { editOutfit } from "./outfit-form.js";
import { tryOut } from "./tryout.js";

/** @typedef {import("../answers.ts").Outfit} Outfit */
/** @typedef {() => unknown} Refresh */

const SWATCH = 20;

/** The order that was asked for and is not drawn yet: a move that is pressed meanwhile goes on from it. @type {string[] | null} */
let wanted = null;
/** Moves are sent one after the other. @type {Promise<unknown>} */
let sent = Promise.resolve();
let unanswered = 0;

/** @type {import("../views.js").View<import("../answers.ts").Answers["templates"]>} */
export const outfits = {
  load: () => get("templates"),
  show: ({ data: { templates }, refresh }) => {
    if (unanswered === 0) wanted = null;
    return [
      h(
        "div",
        { class: "tools" },
        h("p", { class: "soft" }, say("outfits.about")),
        action(say("outfits.add"), () => editOutfit(null, refresh), { kind: "main" }),
      ),
      templates.length === 0
        ? empty(say("outfits.none"))
        : h(
            "div",
            { class: "outfits" },
            templates.map((outfit, i) => tile(outfit, i, templates, refresh)),
          ),
    ];
  },
};

/** In the page's language. @param {Outfit} outfit */
export const titleOf = (outfit) => outfit[`title_${language()}`];

/** @param {Outfit} outfit @param {number} i @param {Outfit[]} all @param {Refresh} refresh */
function tile(outfit, i, all, refresh) {
  const { id, title_en, title_ru, title_uz, prompt, colours, enabled, image_url } = outfit;
  const title = titleOf(outfit);
  const others = [title_en, title_ru, title_uz].filter((other) => other !== title);
  const list = colours.join(", ");
  return h(
    "section",
    { class: "card outfit", data: { on: String(enabled) }, "aria-label": title },
    h("img", { src: image_url, alt: "", loading: "lazy" }),
    h("header", {}, h("h2", {}, title), enabled ? tag("good", say("outfits.on")) : tag("plain", say("outfits.off"))),
    h("p", { class: "soft small" }, [...others, id].join(" · ")),
    h("p", { class: "small" }, prompt),
    h("p", { class: "swatches", role: "img", "aria-label": say("outfits.colours", { list }) }, colours.map(swatch)),
    h("div", { class: "end" }, buttons(outfit, title, refresh)),
    h("div", { class: "order" }, order(id, title, i, all, refresh)),
  );
}

/** @param {Outfit} outfit @param {string} title @param {Refresh} refresh */
function buttons(outfit, title, refresh) {
  const { id, enabled } = outfit;
  return [
    action(say("outfits.try"), () => tryOut(outfit), { key: `try ${id}`, label: say("outfits.try_label", { title }) }),
    action(say("outfits.edit"), () => editOutfit(outfit, refresh), {
      key: `edit ${id}`,
      label: say("outfits.edit_label", { title }),
    }),
    action(
      say(enabled ? "outfits.switch_off" : "outfits.switch_on"),
      () => tell(put(`templates/${id}`, { enabled: !enabled }), null, refresh),
      { key: `switch ${id}`, label: say(enabled ? "outfits.switch_off_label" : "outfits.switch_on_label", { title }) },
    ),
  ];
}

/** @param {string} id @param {string} title @param {number} i @param {Outfit[]} all @param {Refresh} refresh */
const order = (id, title, i, all, refresh) => [
  i > 0 &&
    action("↑", () => tell(move(all, id, -1), null, refresh), {
      kind: "icon",
      key: `up ${id}`,
      label: say("outfits.earlier", { title }),
    }),
  i < all.length - 1 &&
    action("↓", () => tell(move(all, id, 1), null, refresh), {
      kind: "icon",
      key: `down ${id}`,
      label: say("outfits.later", { title }),
    }),
];

/** With an outline of its own: white would be nothing on a white card. @param {string} colour */
const swatch = (colour) =>
  s(
    "svg",
    { width: SWATCH, height: SWATCH, viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("circle", { class: "swatch", cx: 10, cy: 10, r: 9, fill: colour }),
  );

/** @param {Outfit[]} all as drawn @param {string} id @param {number} by */
async function move(all, id, by) {
  const ids = wanted ?? all.map((outfit) => outfit.id);
  const others = ids.filter((other) => other !== id);
  const moved = others.toSpliced(Math.max(ids.indexOf(id) + by, 0), 0, id);
  wanted = moved;
  unanswered++;
  sent = sent.catch(() => {}).then(() => post("templates/order", { ids: moved }));
  try {
    await sent;
  } catch (error) {
    wanted = null;
    throw error;
  } finally {
    unanswered--;
  }
}
