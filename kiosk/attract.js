import { api } from "./api.js";
import { whenCalm } from "./calm.js";
import { byId, language, screen, whenLanguage } from "./screens.js";

/**
 * Outfits of which a sticker is shown: drawn from a portrait in the public domain, never from a guest's.
 * The last of them are shown first, and the first are the next to come.
 */
const SAMPLES = ["wizard", "chef", "detective", "superhero", "royal", "astronaut", "chopon", "rockstar"];
const SHOWN = 5;
const CHANGE_EVERY_MS = 3200;
/** As long as `.floating` takes to leave. */
const LEAVE_MS = 350;
/** A picture that hangs on its way holds up no other. */
const PATIENCE_MS = 10_000;
/** Operators change outfits during the evening. */
const ASK_EVERY_TURNS = 60;

/** @import { Template } from "./types.js" */

/** What may be shown, as the server said last, until then all that we have; who waited longest comes first. @type {string[]} */
let outfits = SAMPLES;

/**
 * The stickers of an event's outfits. One that operators drew anew, or added, is shown by its card.
 * @param {Template[]} list
 */
function outfitsOf(list) {
  const found = list.map(({ id, image_url }) =>
    SAMPLES.includes(id) && image_url === `/outfits/${id}.svg` ? id : image_url,
  );
  // Too few to change between: ours fill up.
  return found.length > SHOWN ? found : [...new Set([...found, ...SAMPLES])];
}

/** @param {string} outfit one of ours, or a card's address */
const addressOf = (outfit) => (SAMPLES.includes(outfit) ? `/samples/${language()}/${outfit}.webp` : outfit);

/** Stickers float over the start screen, one of them changing now and then. */
export function startAttract() {
  const attract = byId("attract", HTMLElement);
  const worn = SAMPLES.slice(-SHOWN);
  /** @type {HTMLImageElement[]} */
  const stickers = [];
  const dress = () => {
    for (const [place, sticker] of stickers.entries()) sticker.src = addressOf(worn[place] ?? "");
  };
  whenLanguage(dress);
  // The one in the middle is what is seen first; the others gather round it.
  attract.replaceChildren(dressed());
  whenCalm(gather);

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let turn = 0;
  let place = 0;
  // A picture may take its time: with two on their way, the same outfit would be shown twice.
  let changing = false;
  setInterval(() => {
    if (document.hidden || screen() !== "start") return;
    if (++turn % ASK_EVERY_TURNS === 0) void ask();
    if (changing) return;
    place = (place + 1) % SHOWN;
    // Where calm was asked for, only what operators took away makes room for another.
    if (still.matches && outfits.includes(worn[place] ?? "")) return;
    const outfit = outfits.find((outfit) => !worn.includes(outfit));
    if (!outfit) return;
    // The others first from now on: whatever time pictures take, each outfit has its turn.
    outfits = [...outfits.filter((other) => other !== outfit), outfit];
    void change(place, outfit);
  }, CHANGE_EVERY_MS);

  /** The sticker of the next place. */
  function dressed() {
    const sticker = document.createElement("img");
    const place = stickers.push(sticker) - 1;
    sticker.className = "floating";
    sticker.dataset.place = String(place);
    sticker.alt = "";
    sticker.src = addressOf(worn[place] ?? "");
    return sticker;
  }

  async function gather() {
    void ask();
    while (stickers.length < SHOWN) {
      const sticker = dressed();
      await comes(sticker);
      attract.append(sticker);
    }
  }

  /** @param {number} place @param {string} outfit */
  async function change(place, outfit) {
    const sticker = stickers[place];
    if (!sticker?.isConnected) return;
    changing = true;
    const picture = new Image();
    picture.src = addressOf(outfit);
    // A picture that does not come leaves the old one; and where a guest has begun meanwhile, all of it rests.
    if ((await comes(picture)) && screen() === "start") {
      sticker.classList.add("leaving");
      await new Promise((left) => setTimeout(left, LEAVE_MS));
      if (screen() === "start") {
        worn[place] = outfit;
        sticker.src = addressOf(outfit);
      }
      sticker.classList.remove("leaving");
    }
    changing = false;
  }
}

/** @param {HTMLImageElement} picture @returns {Promise<boolean>} whether it can be shown */
const comes = (picture) =>
  Promise.race([
    picture.decode().then(
      () => true,
      () => false,
    ),
    new Promise((late) => setTimeout(late, PATIENCE_MS, false)),
  ]);

async function ask() {
  try {
    const now = outfitsOf(await api.templates(language()));
    outfits = [...new Set([...outfits.filter((outfit) => now.includes(outfit)), ...now])];
  } catch {
    // The ones of before are as good.
  }
}
