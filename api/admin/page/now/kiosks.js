// The kiosks: which live, and what ails them.
import { percent, since } from "../format.js";
import { say, sayWord } from "../lang.js";
import { tell } from "../parts/dialog.js";
import { action, card, dot, empty, h, tag } from "../parts/dom.js";
import { remove } from "../server.js";

/** @typedef {import("../answers.ts").Overview} Overview */

const LOW_BATTERY = 0.2;

/** @param {Overview} overview @param {() => unknown} refresh */
export const kiosks = ({ kiosks: all }, refresh) =>
  card(
    say("kiosks.title"),
    null,
    all.length === 0
      ? empty(say("kiosks.none"))
      : h(
          "ul",
          { class: "rows" },
          all.map((kiosk) => row(kiosk, refresh)),
        ),
  );

/** @param {Overview["kiosks"][number]} kiosk @param {() => unknown} refresh */
function row(kiosk, refresh) {
  const { id, silent, camera_ok, camera, battery, charging, wake_lock, screen, last_seen_at } = kiosk;
  const low = battery !== null && battery < LOW_BATTERY && !charging;
  const ailing = low || wake_lock === false;
  const level = silent || !camera_ok ? "red" : ailing ? "amber" : "green";
  const state = silent
    ? say("kiosks.silent", { since: since(last_seen_at) })
    : say("kiosks.shows", { screen: sayWord("screen", screen ?? "?") });
  const share = battery === null ? "" : percent(battery);
  return h(
    "li",
    {},
    dot(level, say(`level.${level}`)),
    h("b", {}, id),
    h("span", { class: "grow soft" }, state),
    // Together, so that none of them stands alone in a line of its own.
    h(
      "span",
      { class: "end" },
      !camera_ok && tag("bad", say("kiosks.camera", { state: sayWord("camera", camera) })),
      share !== "" && tag(low ? "bad" : "plain", say(charging ? "kiosks.charging" : "kiosks.battery", { share })),
      wake_lock === false && tag("warn", say("kiosks.sleep")),
      silent &&
        action(say("kiosks.remove"), () => tell(remove(`kiosks/${encodeURIComponent(id)}`), null, refresh), {
          key: `remove ${id}`,
          label: say("kiosks.remove_label", { id }),
        }),
    ),
  );
}
