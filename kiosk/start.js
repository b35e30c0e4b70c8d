import { byId, setLanguage } from "./screens.js";
import * as sound from "./sound.js";
import { isLang } from "./texts.js";

/** The start screen's switches: language, lower buttons, sound. */
export function wireStart() {
  byId("langs", HTMLElement).addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-lang]") : null;
    const lang = button?.getAttribute("data-lang");
    if (isLang(lang)) setLanguage(lang);
  });

  const low = byId("low", HTMLButtonElement);
  low.addEventListener("click", () => lower(!document.body.classList.contains("low")));

  const loud = byId("sound", HTMLButtonElement);
  const showSound = () => loud.setAttribute("aria-pressed", String(!sound.isMuted()));
  loud.addEventListener("click", () => {
    sound.mute(!sound.isMuted());
    showSound();
    sound.tick();
  });
  showSound();
}

/**
 * All that is to be touched moves into the lower half, within reach from a wheelchair; for one guest.
 * @param {boolean} on
 */
export function lower(on) {
  document.body.classList.toggle("low", on);
  byId("low", HTMLElement).setAttribute("aria-pressed", String(on));
}
