// The frame around the views: tabs, language, and the words that stand in index.html for a start.
import { choose, language, languages, say } from "./lang.js";
import { byId, h } from "./parts/dom.js";
import { viewNames } from "./views.js";

/** @typedef {import("./views.js").ViewName} ViewName */

const strip = byId("views", HTMLElement);
strip.addEventListener("scroll", showMore, { passive: true });
addEventListener("resize", showMore);

/**
 * All that stands around the views, in the language of now.
 * @param {ViewName} current
 * @param {() => unknown} retold what has to happen after another language was chosen
 */
export function showFrame(current, retold) {
  document.documentElement.lang = language();
  byId("skip", HTMLElement).textContent = say("frame.skip");
  byId("brand", HTMLElement).textContent = say("frame.brand");
  byId("verdict", HTMLElement).setAttribute("aria-label", say("frame.verdict"));
  strip.setAttribute("aria-label", say("frame.views"));
  const switches = byId("langs", HTMLElement);
  switches.setAttribute("aria-label", say("frame.language"));
  switches.replaceChildren(...langButtons(retold));
  showTab(current);
}

/** @param {() => unknown} retold */
const langButtons = (retold) =>
  /** @type {import("./lang.js").Lang[]} */ (Object.keys(languages)).map((lang) =>
    h(
      "button",
      {
        type: "button",
        id: `lang-${lang}`,
        lang,
        title: languages[lang],
        "aria-label": `${lang.toUpperCase()} ${languages[lang]}`,
        "aria-pressed": String(lang === language()),
        onclick: () => {
          choose(lang);
          retold();
          document.getElementById(`lang-${lang}`)?.focus();
        },
      },
      lang.toUpperCase(),
    ),
  );

/** @param {ViewName} current */
export function showTab(current) {
  byId("tabs", HTMLElement).replaceChildren(
    ...viewNames.map((name) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: `${location.pathname}#${name}`, "aria-current": name === current ? "page" : null },
          say(`tab.${name}`),
        ),
      ),
    ),
  );
  document.querySelector("#tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  document.title = say("frame.title", { view: say(`tab.${current}`) });
  showMore();
}

/** On a narrow screen the strip fades where it goes on. */
function showMore() {
  const { scrollLeft, scrollWidth, clientWidth } = strip;
  const sides = [scrollLeft > 4 && "left", scrollLeft + clientWidth < scrollWidth - 4 && "right"];
  strip.dataset.more = sides.filter(Boolean).join(" ");
}
