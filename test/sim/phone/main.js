/** Starts the page: news from the simulator in, the right view on the screen. */
import { settlePresses } from "./actions.js";
import { chatView } from "./chat.js";
import { h } from "./dom.js";
import { listView } from "./list.js";
import { drawCast, drawTabs, drawWire } from "./side.js";
import { change, connect, guest, local, online, remote, subscribe, words } from "./store.js";

const screen = document.getElementById("screen");
let shown = { key: "", update() {} };

subscribe(draw);
readAddress();
connect();

/** A scanned code brings its token in the address; it is taken out so that a reload does not offer it again. */
function readAddress() {
  const token = new URLSearchParams(location.search).get("start");
  if (!token) return;
  history.replaceState(null, "", "/phone");
  change({ tab: "guest", view: "chat", start: token });
}

function draw() {
  document.body.classList.toggle("offline", !online);
  if (!remote) return;
  document.documentElement.lang = guest()?.lang ?? "en";
  document.body.dataset.notice = online ? "" : words().reconnecting;
  drawTabs(document.getElementById("tabs"));
  drawCast(document.getElementById("cast"));
  drawWire(document.getElementById("wire"));
  const isList = local.tab === "guest" && (local.view === "list" || !guest());
  const key = [local.tab, isList ? "list" : "chat", local.guestId, guest()?.lang].join(" ");
  if (key !== shown.key) {
    const view = isList ? listView() : chatView();
    shown = { key, update: view.update };
    screen.replaceChildren(statusBar(), view.node);
  }
  shown.update();
  settlePresses();
}

function statusBar() {
  const now = new Date();
  const time = `${now.getHours()}:${String(now.getMinutes()).padStart(2, "0")}`;
  return h(
    "div",
    { class: "status-bar", "aria-hidden": "true" },
    h("span", {}, time),
    h("span", { class: "island" }),
    h("span", { class: "power" }),
  );
}
