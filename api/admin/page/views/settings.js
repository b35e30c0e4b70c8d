// Settings: what may be changed while the booth runs, and what only the server's environment says.
import { language, say } from "../lang.js";
import { saveOrAsk } from "../parts/conflict.js";
import { toast, trySaving } from "../parts/dialog.js";
import { card, h, soft } from "../parts/dom.js";
import { draft } from "../parts/draft.js";
import { field, isChanged, numberIn, UNJUDGED } from "../parts/form.js";
import { get, put } from "../server.js";
import { aboutIn } from "../texts/settings.js";
import { branding } from "./branding.js";

/** @typedef {import("../answers.ts").Settings} Settings */
/** @typedef {Settings["settings"][number]} Row */
/** @typedef {() => unknown} Refresh */

/** @type {Record<Row["name"], import("../lang.js").TextKey>} */
const UNITS = {
  PACK_LIMIT: "unit.packs",
  DAILY_BUDGET_USD: "unit.dollars",
  SESSION_TTL_MINUTES: "unit.minutes",
  LEADS_REMIND_MINUTES: "unit.minutes",
  DIGEST_HOUR: "unit.hour",
};

/** @type {ReturnType<typeof draft<Settings>>} */
const typed = draft();

/** @type {import("../views.js").View<{settings: Settings, look: import("../answers.ts").Look}>} */
export const settings = {
  isStill: true,
  load: async () => {
    const [settings, look] = await Promise.all([get("settings"), get("branding")]);
    return { settings, look };
  },
  show: ({ data, refresh }) => [live(data.settings, refresh), branding(data.look, refresh), fixed(data.settings)],
};

/** What a setting is for. @param {{name: string, description?: string}} row */
const about = ({ name, description }) => aboutIn(language(), name) ?? description ?? name;

/** @param {Settings} saved @param {Refresh} refresh */
function live(saved, refresh) {
  const drawn = typed.baseOver(saved);
  const fault = h("p", { class: "bad", role: "alert" });
  const place = h("div", {});
  const rows = drawn.settings.map((row) => ({ row, input: inputFor(row) }));
  const inputs = rows.map(({ input }) => input);
  const form = h(
    "form",
    { class: "form", ...UNJUDGED },
    h(
      "div",
      { class: "pair" },
      rows.map(({ row, input }) => {
        const hint = `${row.name} · ${say(row.own ? "settings.own" : "settings.servers")}`;
        return field(about(row), input, hint, say(UNITS[row.name]));
      }),
    ),
    fault,
    place,
    h(
      "div",
      { class: "end" },
      h("button", { type: "submit", class: "main", data: { key: "save settings" } }, say("settings.save")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void trySaving(form, fault, save);
  });
  typed.shown(form, drawn);
  return card(say("settings.live"), soft(say("settings.live_about")), form);

  function save() {
    const base = typed.baseNow(drawn);
    const edits = changesIn(inputs);
    const kept = typed.sending();
    let words = say("settings.saved");
    return saveOrAsk({
      stale: "settings.stale",
      base,
      latest: () => get("settings"),
      fieldsOf: shown,
      mine: Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])),
      labels: Object.fromEntries(base.settings.map((row) => [row.name, about(row)])),
      place,
      send: async (version) => {
        const { changed, ...now } = await put("settings", { ...edits, version });
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
}

/** @param {Row} row */
const inputFor = ({ name, value, minimum, maximum, whole }) =>
  h("input", {
    name,
    type: "number",
    min: minimum,
    max: maximum,
    step: whole ? 1 : 0.01,
    value: String(value),
    inputmode: whole ? "numeric" : "decimal",
  });

/** @param {Settings} saved */
const shown = (saved) => Object.fromEntries(saved.settings.map(({ name, value }) => [name, String(value)]));

/** Only what was typed here: what else differs, somebody else has saved. Nothing takes the server's value again. @param {HTMLInputElement[]} inputs */
const changesIn = (inputs) =>
  Object.fromEntries(inputs.filter(isChanged).map((input) => [input.name, numberIn(input)]));

/** @param {Settings} saved */
const fixed = ({ fixed: rows }) =>
  card(
    say("settings.fixed"),
    soft(say("settings.fixed_about")),
    h(
      "details",
      { data: { key: "fixed" } },
      h("summary", {}, say("settings.fixed_all", { n: rows.length })),
      h(
        "ul",
        { class: "rows" },
        rows.map((row) =>
          h(
            "li",
            {},
            h("span", { class: "grow" }, h("code", {}, row.name), h("br"), soft(about(row))),
            shownValue(row),
          ),
        ),
      ),
    ),
  );

/** @param {Settings["fixed"][number]} row */
function shownValue(row) {
  if ("secret" in row) return h("span", { class: "soft" }, say(row.set ? "settings.secret_set" : "settings.not_set"));
  if (row.value === null) return h("span", { class: "soft" }, say("settings.not_set"));
  return h("span", { class: "mono" }, row.value);
}
