// The kiosks' look at this event: name, welcome, colours, pictures, and the operators' PIN.
import { card, field, h, showFaults, toast, valuesOf } from "./dom.js";
import { put } from "./server.js";

const OWN = { paper: "#fff4e6", ink: "#2b1a40", accent: "#c9245f" };

export function branding(look, refresh) {
  const { version, name, welcome, colours, logo_url, background_url, pin_set } = look;
  const text = (key, value, limit) =>
    h("input", { name: key, value: value ?? "", maxlength: limit, autocomplete: "off" });
  const colour = (key) => h("input", { name: key, type: "color", value: (colours ?? OWN)[key] });
  const picture = (key) => h("input", { name: key, type: "file", accept: "image/jpeg,image/png,image/webp" });
  const own = h("input", { name: "own", type: "checkbox", checked: colours !== null });
  const fault = h("p", { class: "bad", role: "alert" });
  const form = h(
    "form",
    { class: "form" },
    field("Name of the event", text("name", name, 40), "Shown on the first screen; empty: none."),
    h(
      "div",
      { class: "pair" },
      field("Welcome in Russian", text("welcome_ru", welcome.ru, 80)),
      field("Welcome in Uzbek", text("welcome_uz", welcome.uz, 80)),
      field("Welcome in English", text("welcome_en", welcome.en, 80)),
    ),
    field("Colours of the event instead of the booth's", own, "They are refused when guests could not read them."),
    h(
      "div",
      { class: "pair" },
      field("Paper", colour("paper")),
      field("Ink on it", colour("ink")),
      field("Buttons", colour("accent"), "with white words"),
    ),
    h(
      "div",
      { class: "pair" },
      field(logo_url ? "Another logo" : "Logo", picture("logo")),
      field(background_url ? "Another background" : "Background", picture("background")),
    ),
    field(
      "PIN of the operators' corner on kiosks",
      h("input", {
        name: "pin",
        inputmode: "numeric",
        maxlength: 8,
        autocomplete: "off",
        placeholder: pin_set ? "••••" : "",
      }),
      `Four to eight digits. ${pin_set ? "One is set; empty keeps it." : "None is set."} It reaches only kiosks that have the KIOSK_KEY.`,
    ),
    fault,
    h(
      "div",
      { class: "end" },
      logo_url && takeAway("Take the logo away", { logo: null }),
      background_url && takeAway("Take the background away", { background: null }),
      h("button", { type: "submit", class: "main" }, "Save the look"),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    showFaults(form, {});
    fault.textContent = "";
    try {
      const { own: wanted, pin, paper, ink, accent, ...rest } = await valuesOf(form);
      const palette = wanted ? { paper, ink, accent } : { paper: null, ink: null, accent: null };
      await save({ ...rest, ...palette, ...(pin && { pin }), version });
    } catch (error) {
      fault.textContent = error.message;
      showFaults(form, error.fields ?? {});
    }
  });
  return card(
    "Kiosks at this event",
    h("span", { class: "soft small" }, "kiosks follow within seconds, between guests"),
    form,
  );

  async function save(body) {
    const { changed } = await put("branding", body);
    toast(changed ? "Saved. Kiosks follow between two guests." : "Nothing was changed.");
    if (changed) refresh();
  }

  function takeAway(words, body) {
    const button = h("button", { type: "button" }, words);
    button.addEventListener("click", () => save({ ...body, version }).catch((error) => toast(error.message, "bad")));
    return button;
  }
}
