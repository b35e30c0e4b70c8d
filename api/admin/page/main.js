// The operators' page: which view is shown, and when it is asked anew.
import { boothNow, learnClock, timeOf } from "./format.js";
import { language, learnTeams, say } from "./lang.js";
import { tick } from "./parts/countdown.js";
import { askFor, messageOf } from "./parts/dialog.js";
import { byId, empty, h, keyOf, swap } from "./parts/dom.js";
import { giveUpDrafts, hasDrafts } from "./parts/draft.js";
import { isPressed, released } from "./parts/press.js";
import { get, Refusal } from "./server.js";
import { showFrame, showTab } from "./tabs.js";
import { showNoAnswer, showVerdict } from "./verdict.js";
import { nameIn, views } from "./views.js";

const EVERY_MS = 10_000;
const SECOND_MS = 1000;
/** On both sides of a card's content, as parts.css has it, in pixels. */
const CARD_PADDING = 39;

const main = byId("main", HTMLElement);
/** Rises with each round: the answer of an older one is dropped. */
let round = 0;
let asking = false;
let spoken = "";
let locked = false;
/** The question whether to leave what was typed. @type {HTMLDialogElement | null} */
let leaving = null;

/** `#jobs/12?status=failed` */
function place() {
  const [path = "", query = ""] = location.hash.slice(1).split("?");
  const [name = "", id = ""] = path.split("/");
  return { name: nameIn(name), id, query: new URLSearchParams(query) };
}

/**
 * Asks for everything and shows it.
 * @param {boolean} quietly by the clock: whoever reads or writes is left alone, and an answer that is under way is awaited
 */
async function refresh(quietly = false) {
  if (locked || (quietly && asking)) return;
  const mine = ++round;
  asking = true;
  const { name, id, query } = place();
  const view = views[name];
  const key = location.hash;
  try {
    const [overview, data] = await Promise.all([get("overview"), view.load({ id, query }).catch(refusalOf)]);
    await released();
    const isShown = main.dataset.shown === key;
    if (mine !== round || (quietly && isShown && isAtWork())) return;
    learnClock(overview);
    learnTeams(overview.lang);
    speak(name);
    showVerdict(overview, () => refresh());
    byId("fresh", HTMLElement).textContent = say("frame.as_of", { time: timeOf(boothNow()) });
    // What is not shown yet is shown in any case.
    if (quietly && isShown && (isBusy() || view.isStill)) return;
    document.body.dataset.view = name;
    main.className = `view-${name}`;
    const shown = { overview, id, query, refresh: () => refresh(), room: roomInCards() };
    swap(main, data instanceof Refusal ? refused(name, data) : view.show({ ...shown, data }));
    main.dataset.shown = key;
    if (!isShown) scrollTo({ top: 0 });
  } catch (error) {
    await released();
    if (mine !== round) return;
    // Asking on with a password that is no longer right would lock this address out.
    locked = error instanceof Refusal && error.status === 401;
    speak(name);
    showNoAnswer(error, locked);
    if (main.dataset.shown === key) return;
    swap(main, empty(messageOf(error)));
    delete main.dataset.shown;
  } finally {
    if (mine === round) asking = false;
  }
}

/**
 * What the server refused is the view's own matter: how the booth is stays said. A wrong password is not.
 * @param {unknown} error
 */
function refusalOf(error) {
  const isViews = error instanceof Refusal && error.status >= 400 && error.status < 500 && error.status !== 401;
  if (isViews) return error;
  throw error;
}

/** @param {import("./views.js").ViewName} name @param {Refusal} refusal */
const refused = (name, { message }) => [
  h("p", {}, h("a", { href: `#${name}` }, name === "jobs" ? say("story.back") : `← ${say(`tab.${name}`)}`)),
  empty(message),
];

function roomInCards() {
  const { paddingLeft, paddingRight } = getComputedStyle(main);
  return Math.floor(main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - CARD_PADDING);
}

/** The frame's words, once it is known in which language. @param {import("./views.js").ViewName} name */
function speak(name) {
  if (spoken === language()) return;
  spoken = language();
  showFrame(name, () => {
    speak(place().name);
    return refresh();
  });
}

/** Is a button doing what was asked of it? A new one could be pressed again meanwhile; all is asked anew when it is done. */
const isAtWork = () => document.querySelector("main button:disabled, #verdict button:disabled") !== null;

/** Is somebody in the middle of something that a redrawn page would take from their hands? */
function isBusy() {
  if (isPressed() || document.querySelector("dialog[open]")) return true;
  const selection = getSelection();
  if (selection && !selection.isCollapsed && main.contains(selection.anchorNode)) return true;
  const focused = document.activeElement;
  if (!main.contains(focused)) return false;
  if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement)
    return focused.value !== focused.defaultValue;
  return focused instanceof HTMLSelectElement;
}

addEventListener("hashchange", () => {
  leaving?.close();
  const [here, there] = [main.dataset.shown, location.hash];
  if (here && here !== there && hasDrafts(main)) return askToLeave(here, there);
  go();
});
// A closed or reloaded tab loses it too; there browsers ask in their own words.
addEventListener("beforeunload", (event) => hasDrafts(main) && event.preventDefault());

function go() {
  showTab(place().name);
  const from = document.activeElement;
  const drawn = refresh();
  const mine = round;
  drawn.then(() => mine === round && !hasGoneOn(from) && main.focus({ preventScroll: true }));
}

/** Whoever went into a field before the answer came, or types on in the one they sent, keeps it. @param {Element | null} from */
function hasGoneOn(from) {
  const at = document.activeElement;
  if (!main.contains(at) || !(at instanceof HTMLInputElement)) return false;
  return keyOf(at) !== keyOf(from) || at.value !== at.defaultValue;
}

/** @param {string} here @param {string} there */
function askToLeave(here, there) {
  history.replaceState(null, "", here);
  leaving = askFor(say("form.leave_ask"), [], say("form.leave"), async () => {
    giveUpDrafts(main);
    history.pushState(null, "", there);
    go();
  });
}

document.addEventListener("visibilitychange", () => !document.hidden && refresh(true));
setInterval(() => !document.hidden && refresh(true), EVERY_MS);
setInterval(() => tick(main), SECOND_MS);

refresh();
