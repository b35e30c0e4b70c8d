// Settings: what may be changed while the booth runs, and what only the server's environment says.
import { branding } from "./branding.js";
import { card, field, h, showFaults, toast } from "./dom.js";
import { get, put } from "./server.js";

export const settings = {
  title: "Settings",
  live: false,
  load: async () => {
    const [settings, look] = await Promise.all([get("settings"), get("branding")]);
    return { settings, look };
  },
  show: ({ data, refresh }) => [live(data.settings, refresh), branding(data.look, refresh), fixed(data.settings)],
};

function live({ settings: rows, version }, refresh) {
  const fault = h("p", { class: "bad", role: "alert" });
  const form = h(
    "form",
    { class: "form" },
    h(
      "div",
      { class: "pair" },
      rows.map(({ name, description, value, own, minimum, maximum, whole }) =>
        field(
          description,
          h("input", {
            name,
            type: "number",
            min: minimum,
            max: maximum,
            step: whole ? 1 : 0.01,
            value: String(value),
            inputmode: whole ? "numeric" : "decimal",
          }),
          `${name} · ${own ? "set here; empty takes the server's value again" : "the server's value"}`,
        ),
      ),
    ),
    fault,
    h("div", { class: "end" }, h("button", { type: "submit", class: "main" }, "Save the settings")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    showFaults(form, {});
    fault.textContent = "";
    try {
      const { changed } = await put("settings", { ...changesIn(form, rows), version });
      toast(changed ? "Saved. Both processes use it from now on." : "Nothing was changed.");
      if (changed) refresh();
    } catch (error) {
      fault.textContent = error.message;
      showFaults(form, error.fields ?? {});
    }
  });
  return card("While the booth runs", h("span", { class: "soft small" }, "holds at once, without a restart"), form);
}

/** Only what differs from what was shown. */
function changesIn(form, rows) {
  const changes = {};
  for (const { name, value } of rows) {
    const text = form.elements[name].value.trim();
    if (text === "") changes[name] = null;
    else if (Number(text) !== value) changes[name] = Number(text);
  }
  return changes;
}

function fixed({ fixed: rows }) {
  return card(
    "On the server",
    h("span", { class: "soft small" }, "changed in its environment, with a restart"),
    h(
      "details",
      {},
      h("summary", {}, `All ${rows.length} of them`),
      h(
        "ul",
        { class: "rows" },
        rows.map(({ name, description, value, secret, set }) =>
          h(
            "li",
            {},
            h("span", { class: "grow" }, h("code", {}, name), h("br"), h("span", { class: "soft small" }, description)),
            secret
              ? h("span", { class: "soft" }, set ? "set, not shown" : "not set")
              : h("span", { class: value === null ? "soft" : "mono" }, value ?? "not set"),
          ),
        ),
      ),
    ),
  );
}
