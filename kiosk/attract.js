import { api } from "./api.js";
import { byId, language, screen } from "./screens.js";

/** Our own drawings, for when the outfits cannot be asked for. */
const OWN = ["superhero", "royal", "astronaut", "chopon", "rockstar", "wizard", "chef", "detective"];
const SHOWN = 5;
const CHANGE_EVERY_MS = 2800;

/** Stickers float over the start screen, one of them changing now and then. */
export function startAttract() {
  const place = byId("attract", HTMLElement);
  const stickers = Array.from({ length: SHOWN }, (_, index) => {
    const sticker = document.createElement("img");
    sticker.className = "floating";
    sticker.dataset.place = String(index);
    sticker.alt = "";
    sticker.src = `/outfits/${OWN[index]}.svg`;
    return sticker;
  });
  place.replaceChildren(...stickers);

  let pictures = OWN.map((id) => `/outfits/${id}.svg`);
  void api.templates(language()).then(
    (list) => {
      if (list.length > SHOWN) pictures = list.map((outfit) => outfit.image_url);
    },
    () => {},
  );

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let turn = 0;
  setInterval(() => {
    if (document.hidden || still.matches || screen() !== "start") return;
    const sticker = stickers[turn % SHOWN];
    const shown = new Set(stickers.map((other) => other.getAttribute("src")));
    const next = pictures.filter((url) => !shown.has(url));
    const url = next[turn % Math.max(1, next.length)];
    turn++;
    if (!sticker || !url) return;
    sticker.classList.add("leaving");
    setTimeout(() => {
      sticker.src = url;
      sticker.classList.remove("leaving");
    }, 350);
  }, CHANGE_EVERY_MS);
}
