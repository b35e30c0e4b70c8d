// The views, in the order of their tabs.
import { now } from "./now/now.js";
import { audit } from "./views/audit.js";
import { costs } from "./views/costs.js";
import { jobs } from "./views/jobs.js";
import { leads } from "./views/leads.js";
import { outfits } from "./views/outfits.js";
import { settings } from "./views/settings.js";
import { visits } from "./views/visits.js";

/**
 * @template Data
 * @typedef {object} View
 * @property {(place: import("./answers.ts").Place) => Promise<Data>} load what it shows
 * @property {(shown: import("./answers.ts").Shown<Data>) => import("./parts/dom.js").Child} show
 * @property {boolean} [isStill] it is a form: not redrawn by the clock
 */

/**
 * Each is shown with what it loaded itself; outside of it nobody looks into that.
 * @template Data
 * @param {View<Data>} view
 * @returns {View<unknown>}
 */
const sealed = (view) => ({
  ...view,
  show: (shown) => view.show({ ...shown, data: /** @type {Data} */ (shown.data) }),
});

export const views = {
  now: sealed(now),
  jobs: sealed(jobs),
  visits: sealed(visits),
  outfits: sealed(outfits),
  leads: sealed(leads),
  costs: sealed(costs),
  settings: sealed(settings),
  audit: sealed(audit),
};

/** @typedef {keyof typeof views} ViewName */
export const viewNames = /** @type {ViewName[]} */ (Object.keys(views));

/** @param {string} text of an address; what is no view is the first one @returns {ViewName} */
export const nameIn = (text) => viewNames.find((name) => name === text) ?? "now";
