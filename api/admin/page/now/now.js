// Now: where guests are, what the booth does with them, and the machine around it.
import { kiosks } from "./kiosks.js";
import { machine } from "./machine.js";
import { slots } from "./slots.js";
import { dayCard, today } from "./today.js";
import { way } from "./way.js";

/** From this room on there are columns, as now.css has it. */
const COLUMNS_FROM = 710;
/** What a card and the gap beside it take, in pixels. */
const CARD_AND_GAP = 56;

/** @type {import("../views.js").View<null>} */
export const now = {
  load: async () => null,
  show: ({ overview, refresh, room }) => {
    const chartRoom = room > COLUMNS_FROM ? Math.round((room * 2) / 3) - CARD_AND_GAP / 2 : room;
    return [
      at("wide", way(overview)),
      at("third", today(overview, refresh)),
      at("two-thirds", dayCard(overview, chartRoom)),
      at("half", slots(overview)),
      at("half", kiosks(overview, refresh)),
      at("wide", machine(overview)),
    ];
  },
};

/** @param {string} place @param {HTMLElement} element */
function at(place, element) {
  element.classList.add(place);
  return element;
}
