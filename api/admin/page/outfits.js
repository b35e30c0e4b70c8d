// Outfits: the cards of the kiosk, and what the artists are told.
import { action, askFor, empty, field, h, s, tag, toast } from "./dom.js";
import { get, post, put, remove } from "./server.js";
import { tryOut } from "./tryout.js";

export const outfits = {
  title: "Outfits",
  load: () => get("templates"),
  show: ({ data: { templates }, refresh }) => [
    h(
      "div",
      { class: "tools" },
      h("p", { class: "soft" }, "In the kiosk's order. A change is seen by the next guest."),
      action("Add an outfit", () => edit(null, refresh), { kind: "main" }),
    ),
    templates.length === 0
      ? empty("There are no outfits.")
      : h(
          "div",
          { class: "outfits" },
          templates.map((outfit, i) => tile(outfit, i, templates, refresh)),
        ),
  ],
};

function tile(outfit, i, all, refresh) {
  const { id, title_en, title_ru, title_uz, prompt, colours, enabled, image_url } = outfit;
  return h(
    "section",
    { class: "card outfit", data: { on: String(enabled) }, "aria-label": title_en },
    h("img", { src: image_url, alt: "", loading: "lazy" }),
    h("header", {}, h("h2", {}, title_en), enabled ? tag("good", "on") : tag("plain", "off")),
    h("p", { class: "soft small" }, `${title_ru} · ${title_uz} · ${id}`),
    h("p", { class: "small" }, prompt),
    h("p", { class: "swatches", role: "img", "aria-label": `colours ${colours.join(", ")}` }, colours.map(swatch)),
    h(
      "div",
      { class: "end" },
      action("Try", () => tryOut(outfit), { key: `try ${id}`, label: `Try ${title_en} on a photo` }),
      action("Edit", () => edit(outfit, refresh), { key: `edit ${id}`, label: `Edit ${title_en}` }),
      action(enabled ? "Off" : "On", () => told(put(`templates/${id}`, { enabled: !enabled }), refresh), {
        key: `switch ${id}`,
        label: `Switch ${title_en} ${enabled ? "off" : "on"}`,
      }),
      i > 0 &&
        action("↑", () => told(post("templates/order", { ids: moved(all, i, -1) }), refresh), {
          kind: "icon",
          key: `up ${id}`,
          label: `${title_en}: earlier`,
        }),
      i < all.length - 1 &&
        action("↓", () => told(post("templates/order", { ids: moved(all, i, 1) }), refresh), {
          kind: "icon",
          key: `down ${id}`,
          label: `${title_en}: later`,
        }),
    ),
  );
}

const swatch = (colour) =>
  s(
    "svg",
    { width: 18, height: 18, viewBox: "0 0 18 18", "aria-hidden": "true" },
    s("rect", { width: 18, height: 18, fill: colour }),
  );

function moved(all, i, by) {
  const ids = all.map(({ id }) => id);
  ids.splice(i + by, 0, ...ids.splice(i, 1));
  return ids;
}

async function told(work, refresh) {
  await work.catch((error) => toast(error.message, "bad"));
  await refresh();
}

function edit(outfit, refresh) {
  const text = (name, label, hint = null) =>
    field(
      label,
      h("input", { name, value: outfit?.[name] ?? "", required: true, maxlength: 40, autocomplete: "off" }),
      hint,
    );
  const dialog = askFor(
    outfit ? `Edit “${outfit.title_en}”` : "A new outfit",
    [
      !outfit &&
        field(
          "Id",
          h("input", { name: "id", required: true, maxlength: 32, autocomplete: "off", autocapitalize: "none" }),
          "Small letters, digits, - and _; it never changes.",
        ),
      h(
        "div",
        { class: "pair" },
        text("title_ru", "Title in Russian"),
        text("title_uz", "Title in Uzbek"),
        text("title_en", "Title in English"),
      ),
      field(
        "What the person wears",
        h("textarea", { name: "prompt", required: true, maxlength: 1000, value: outfit?.prompt ?? "" }),
        "In English, as you would tell an artist: “a white astronaut suit with …”",
      ),
      field(
        "Colours of the outfit",
        h("input", { name: "colours", value: outfit?.colours.join(" ") ?? "", autocomplete: "off" }),
        "#rrggbb with blanks between; the sheet's background keeps away from them.",
      ),
      field(
        outfit ? "Another picture for the card" : "Picture for the card",
        h("input", { name: "picture", type: "file", accept: "image/jpeg,image/png,image/webp" }),
        "JPEG, PNG or WebP, up to 10 MB; it is made smaller.",
      ),
    ],
    "Save",
    async ({ colours, ...values }) => {
      const list = colours.split(/[\s,;]+/).filter(Boolean);
      const body = { ...values, colours: list };
      if (outfit) await put(`templates/${outfit.id}`, { ...body, version: outfit.version });
      else await post("templates", body);
      toast("Saved.");
      refresh();
    },
  );
  if (!outfit) return;
  dialog.querySelector(".end").prepend(action("Delete", () => drop(outfit, dialog, refresh), { kind: "danger" }));
}

function drop(outfit, above, refresh) {
  askFor(
    `Delete “${outfit.title_en}”?`,
    [h("p", {}, "Its card leaves the kiosk for good. Switching it off keeps it for later.")],
    "Delete",
    async () => {
      await remove(`templates/${outfit.id}`);
      above.close();
      toast("Deleted.");
      refresh();
    },
    { danger: true },
  );
}
