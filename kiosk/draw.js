import { byId, clearText, setText, show } from "./screens.js";

/** @import { Ending, Session, Template } from "./types.js" */

const MINUTE_S = 60;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @type {string | null} */
let qrUrl = null;

/**
 * The code and, below it, its address in words.
 * @param {Session} session
 * @param {Blob} svg
 */
export async function drawQr(session, svg) {
  if (qrUrl) URL.revokeObjectURL(qrUrl);
  qrUrl = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = byId("qr-code", HTMLImageElement);
  image.src = qrUrl;
  // At once: after a wait the guest may have left.
  byId("qr-address", HTMLElement).replaceChildren(address(session.deep_link));
  await image.decode().catch(() => {});
}

/**
 * A phone cannot follow an address of this very machine: there (in the demo) it becomes a link for this browser.
 * @param {string} deepLink
 */
function address(deepLink) {
  const words = document.createDocumentFragment();
  const [place = "", query = ""] = deepLink.replace(/^https?:\/\//, "").split(/(?<=\?)/);
  // A line breaks before the token, if it must, and then in the token's middle.
  const middle = Math.ceil(query.length / 2);
  const parts = [place, query.slice(0, middle), query.slice(middle)].filter(Boolean);
  for (const part of parts) words.append(...(words.hasChildNodes() ? [document.createElement("wbr")] : []), part);
  const { href, hostname, protocol } = new URL(deepLink, location.origin);
  if (!LOOPBACK.test(hostname) || !protocol.startsWith("http")) return words;
  const link = document.createElement("a");
  link.href = href;
  link.target = "_blank";
  link.rel = "noopener";
  link.append(words);
  return link;
}

/**
 * @param {Template[]} outfits
 * @param {(id: string) => void} onChoose
 */
export function drawOutfits(outfits, onChoose) {
  const cards = outfits.map(({ id, title, image_url }, index) => {
    const picture = document.createElement("img");
    picture.src = image_url;
    picture.alt = "";
    picture.width = 240;
    picture.height = 240;
    const name = document.createElement("span");
    name.textContent = title;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "card";
    button.dataset.outfit = id;
    button.dataset.tint = String(index % 8);
    button.append(picture, name);
    button.addEventListener("click", () => onChoose(id));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  byId("cards", HTMLElement).replaceChildren(...cards);
}

/** Queue and time, as far as the api knows them. @param {Session} session */
export function drawPhoneFacts({ queue_position: place, eta_seconds: eta }) {
  const facts = byId("phone-facts", HTMLElement);
  const parts = [];
  if (typeof place === "number" && place > 0) {
    const part = document.createElement("span");
    setText(part, "phone.queue", { n: place });
    parts.push(part);
  }
  if (typeof eta === "number" && eta > 0) {
    const part = document.createElement("span");
    if (eta < MINUTE_S) setText(part, "phone.soon");
    else setText(part, "phone.minutes", { n: Math.round(eta / MINUTE_S) });
    parts.push(part);
  }
  facts.replaceChildren(...parts);
}

/** @type {Record<Ending, string>} */
const ART = {
  timeout: "clock",
  declined: "heart",
  reset: "clock",
  blocked: "heart",
  failed: "again",
  maintenance: "rest",
  not_ready: "rest",
  busy: "clock",
  unpaired: "cloud",
  server: "cloud",
};

/** @param {Ending} ending */
export function showMessage(ending) {
  setText(byId("message-title", HTMLElement), `end.${ending}.title`);
  setText(byId("message-lead", HTMLElement), `end.${ending}.lead`);
  byId("message-art", HTMLImageElement).src = `/art/${ART[ending]}.svg`;
  byId("message-home", HTMLElement).hidden = ending === "maintenance";
  byId("message", HTMLElement).dataset.ending = ending;
  show("message");
}

/** Takes everything of the last guest off the page, shown or hidden. */
export function forgetGuest() {
  if (qrUrl) URL.revokeObjectURL(qrUrl);
  qrUrl = null;
  for (const id of ["qr-code", "shot"]) byId(id, HTMLImageElement).removeAttribute("src");
  for (const id of ["qr-address", "cards"]) byId(id, HTMLElement).replaceChildren();
  setText(byId("consent-title", HTMLElement), "consent.title");
  for (const id of ["phone-facts", "stage-note", "count"]) clearText(byId(id, HTMLElement));
}
