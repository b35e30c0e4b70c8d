import { api } from "./api.js";
import { paletteOf } from "./palette.js";
import { byId, language, setLanguage } from "./screens.js";
import { recall, remember } from "./store.js";
import { putWords } from "./texts.js";

/** @import { Look } from "./types.js" */

const TEXT_LENGTH = 120;
/** Longer welcomes are set smaller. */
const LONG = 26;
const VERY_LONG = 50;
const COLOUR = /^#[0-9a-f]{6}$/i;

/** @type {Look | null} */
let shown = null;
let asking = false;
/** A picture did not come. */
let broken = false;

/** Draws the look of the last time, for a start without network, and asks for today's. @param {() => boolean} isFree */
export function startLook(isFree) {
  let kept = null;
  try {
    kept = JSON.parse(recall("local", "look") ?? "null");
  } catch {
    // Written by another version, or broken: the server has it anew.
  }
  const look = lookIn(kept);
  if (look) draw(look);
  void refresh(isFree);
}

/**
 * The heartbeat heard which look is today's. It is taken up while the screen is free; until then each beat asks again.
 * @param {string | null} today
 * @param {() => boolean} isFree
 */
export function followLook(today, isFree) {
  if (today !== null && (broken || today !== shown?.look) && isFree()) void refresh(isFree);
}

/** The operators' PIN of the event, if one is set: its digest. */
export const eventPin = () => shown?.pin ?? null;

/** @param {() => boolean} isFree */
async function refresh(isFree) {
  if (asking) return;
  asking = true;
  try {
    const look = lookIn(await api.config());
    if (!look || !isFree()) return;
    if (!broken && JSON.stringify(look) === JSON.stringify(shown)) return;
    remember("local", "look", JSON.stringify(look));
    draw(look);
  } catch {
    // The look of before holds; the next heartbeat brings us here again.
  } finally {
    asking = false;
  }
}

/**
 * Takes of an answer, or of what was kept, only what can be drawn.
 * @param {unknown} given
 * @returns {Look | null}
 */
function lookIn(given) {
  const from = recordOf(given);
  if (!from || typeof from.look !== "string") return null;
  const welcome = recordOf(from.welcome) ?? {};
  const { paper, ink, accent } = recordOf(from.colours) ?? {};
  const { salt, sha256 } = recordOf(from.pin) ?? {};
  return {
    look: from.look,
    name: textIn(from.name),
    welcome: { ru: textIn(welcome.ru), uz: textIn(welcome.uz), en: textIn(welcome.en) },
    colours: isColour(paper) && isColour(ink) && isColour(accent) ? { paper, ink, accent } : null,
    logo: pictureIn(from.logo_url ?? from.logo),
    background: pictureIn(from.background_url ?? from.background),
    pin: typeof salt === "string" && typeof sha256 === "string" ? { salt, sha256 } : null,
  };
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown> | null}
 */
const recordOf = (value) =>
  typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : null;

/** @param {unknown} value */
const textIn = (value) => (typeof value === "string" ? value.trim().slice(0, TEXT_LENGTH) : "");

/**
 * @param {unknown} value
 * @returns {value is string}
 */
const isColour = (value) => typeof value === "string" && COLOUR.test(value);

/** @param {unknown} value @returns {string} an address on our own server, or nothing */
function pictureIn(value) {
  if (typeof value !== "string" || !value) return "";
  try {
    const { origin, pathname } = new URL(value, location.origin);
    return origin === location.origin ? pathname : "";
  } catch {
    return "";
  }
}

/** @param {Look} look */
function draw(look) {
  shown = look;
  broken = false;
  const root = document.documentElement;
  // Through the CSSOM: the content policy forbids styles that are written into the page.
  for (const [name, colour] of paletteOf(look.colours)) {
    if (colour) root.style.setProperty(name, colour);
    else root.style.removeProperty(name);
  }
  root.toggleAttribute("data-own-colours", look.colours !== null);
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", look.colours?.paper ?? "#fff4e6");

  byId("event-name", HTMLElement).textContent = look.name;
  const longest = Math.max(...Object.values(look.welcome).map((text) => text.length));
  byId("start-title", HTMLElement).dataset.length =
    longest > VERY_LONG ? "very-long" : longest > LONG ? "long" : "short";
  byId("start", HTMLElement).toggleAttribute("data-event", `${look.name}${look.logo}` !== "" || longest > 0);
  putWords("start.title", look.welcome);
  setLanguage(language());
  drawLogo(look);
  drawBackground(look);
}

/** @param {Look} look */
function drawLogo({ logo }) {
  const image = byId("event-logo", HTMLImageElement);
  image.hidden = true;
  image.onload = () => {
    image.hidden = false;
  };
  image.onerror = () => {
    broken = true;
  };
  if (logo) image.src = logo;
  else image.removeAttribute("src");
}

/** Shown when it has come: a broken one changes nothing. @param {Look} look */
function drawBackground(look) {
  const root = document.documentElement;
  root.removeAttribute("data-backdrop");
  root.style.removeProperty("--backdrop");
  if (!look.background) return;
  const image = new Image();
  image.onload = () => {
    if (shown !== look) return;
    root.style.setProperty("--backdrop", `url("${image.src}")`);
    root.setAttribute("data-backdrop", "");
  };
  image.onerror = () => {
    broken ||= shown === look;
  };
  image.src = look.background;
}
