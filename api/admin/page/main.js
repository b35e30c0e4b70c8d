// The operators' page: which view is shown, and when it is asked anew.
import { audit } from "./audit.js";
import { costs } from "./costs.js";
import { h, swap } from "./dom.js";
import { jobs } from "./jobs.js";
import { leads } from "./leads.js";
import { now } from "./now.js";
import { outfits } from "./outfits.js";
import { get } from "./server.js";
import { settings } from "./settings.js";
import { showNoAnswer, showVerdict } from "./verdict.js";
import { visits } from "./visits.js";
import { timeOf } from "./words.js";

const EVERY_MS = 10_000;

/** @type {Record<string, {title: string, load: Function, show: Function, live?: boolean}>} */
const views = { now, jobs, visits, outfits, leads, costs, settings, audit };
const main = document.getElementById("main");
/** Rises with each round: the answer of an older one is dropped. */
let round = 0;
let shown = "";
let locked = false;

/** `#jobs/12?status=failed` */
function place() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [name = "", id = ""] = path.split("/");
  return { name: views[name] ? name : "now", id, query: new URLSearchParams(query) };
}

function showTabs(current) {
  document
    .getElementById("tabs")
    .replaceChildren(
      ...Object.entries(views).map(([name, { title }]) =>
        h(
          "li",
          {},
          h("a", { href: `${location.pathname}#${name}`, "aria-current": name === current ? "page" : null }, title),
        ),
      ),
    );
  document.querySelector("#tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  document.title = `${views[current].title} – Sticker booth`;
}

/** Asks for everything and shows it. @param {boolean} quietly by the clock: a form that is being filled is left alone */
export async function refresh(quietly = false) {
  if (locked) return;
  const mine = ++round;
  const { name, id, query } = place();
  const view = views[name];
  const key = location.hash;
  try {
    const [overview, data] = await Promise.all([get("overview"), view.load({ id, query })]);
    if (mine !== round) return;
    showVerdict(overview, refresh);
    document.getElementById("fresh").textContent = `as of ${timeOf(overview.at)}`;
    if (quietly && (isBeingFilled() || view.live === false)) return;
    document.body.dataset.view = name;
    main.className = `view-${name}`;
    swap(main, view.show({ data, overview, id, query, refresh, main }));
    if (shown !== key) scrollTo({ top: 0 });
    shown = key;
  } catch (error) {
    if (mine !== round) return;
    // Asking on with a password that is no longer right would lock this address out.
    locked = error.status === 401;
    showNoAnswer(error);
    if (!quietly && shown !== key) swap(main, h("p", { class: "empty" }, error.message ?? String(error)));
  }
}

function isBeingFilled() {
  if (document.querySelector("dialog[open]")) return true;
  const focused = document.activeElement;
  return main.contains(focused) && focused.matches("input, textarea, select");
}

addEventListener("hashchange", () => {
  showTabs(place().name);
  refresh().then(() => main.focus({ preventScroll: true }));
});
document.addEventListener("visibilitychange", () => !document.hidden && refresh(true));
setInterval(() => !document.hidden && refresh(true), EVERY_MS);

showTabs(place().name);
refresh();
