import { ApiError, api } from "./api.js";
import { missed, reached } from "./connection.js";
import { drawOutfits, drawPhoneFacts, drawQr } from "./draw.js";
import { end, failed, guarded } from "./endings.js";
import { current, leave, welcome } from "./guest.js";
import { holdIdle, idleAfter } from "./idle.js";
import { accepted, offerRetake, toCamera, toPhone } from "./picture.js";
import { byId, clearText, language, screen, setLanguage, setText, show } from "./screens.js";
import { pause } from "./shoot.js";
import { kioskId } from "./store.js";
import { isLang } from "./texts.js";
import { Visit } from "./visit.js";

const POLL_EVERY_MS = 1000;
/** Up to this share longer: kiosks that a break of the server has lined up drift apart again. */
const POLL_SPREAD = 0.1;
/** Idle ends of the screens, seconds. */
const IDLE_S = { qr: 90, onPhone: 180, outfits: 60 };
/** The server tells that a session is over; this long after its end we do not wait for that any more. */
const GRACE_MS = 3000;

/** @import { Session } from "./types.js" */

/** Start was pressed. */
export function begin() {
  if (current()) return;
  const v = new Visit();
  welcome(v);
  void guarded(v, async () => {
    const session = await api.open(kioskId(), language(), v.signal);
    reached();
    v.opened(session.token);
    v.session = session;
    await drawQr(session, await api.qr(session.token, v.signal));
    v.signal.throwIfAborted();
    show("qr");
    idleAfter(IDLE_S.qr, leave);
    void poll(v);
  });
}

/** @param {Visit} v */
async function poll(v) {
  while (!v.ended) {
    const { epoch } = v;
    let waitMs = POLL_EVERY_MS;
    try {
      const session = await api.look(v.token, v.signal);
      reached();
      if (!v.ended && v.epoch === epoch) follow(v, session);
    } catch (error) {
      if (v.ended) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 0 || error.status >= 500) missed(false, error);
      else if (error.status === 429) waitMs = Math.max(waitMs, error.retryAfterS * 1000);
      else return failed(v, error);
    }
    await pause(waitMs * (1 + POLL_SPREAD * Math.random()), v.signal).catch(() => {});
  }
}

/**
 * The server's word on the session moves the screen.
 * @param {Visit} v
 * @param {Session} session
 */
function follow(v, session) {
  v.session = session;
  if (session.status !== "created" && isLang(session.lang) && session.lang !== language()) setLanguage(session.lang);
  const at = screen();
  if (isOnPhone() && session.left_ms !== null) holdIdle(session.left_ms + GRACE_MS);
  switch (session.status) {
    case "created":
      return;
    case "linked":
      return at === "qr" ? waitForConsent(session) : undefined;
    case "consented":
      return at === "qr" || at === "consent" ? void guarded(v, () => offerOutfits(v)) : undefined;
    case "template_chosen":
      if (v.sent) return offerRetake(v, session.problem ?? "other");
      return at === "qr" || at === "consent" || at === "outfits" ? toCamera() : undefined;
    case "photo_taken":
      // Also when the guest has sent the selfie from the phone.
      if (!v.sent) accepted(v);
      if (at === "phone") drawPhoneFacts(session);
      return;
    case "done":
      v.sent = true;
      if (at !== "phone") toPhone(v);
      clearText(byId("phone-facts", HTMLElement));
      return setText(byId("phone-lead", HTMLElement), "phone.done");
    case "failed":
      v.sent = true;
      return end(v, "failed");
    case "blocked":
      return end(v, "blocked");
    case "expired":
      return end(v, session.problem === "declined" || session.problem === "reset" ? session.problem : "timeout");
  }
}

/** What comes next is done in Telegram: the answer to the question, or a selfie where there is no camera. */
function isOnPhone() {
  if (screen() !== "camera") return screen() === "consent";
  return ["none", "denied"].includes(byId("stage", HTMLElement).dataset.state ?? "");
}

/** @param {Session} session */
function waitForConsent(session) {
  const name = session.guest_name?.trim();
  const title = byId("consent-title", HTMLElement);
  if (name) setText(title, "consent.hello", { name });
  else setText(title, "consent.title");
  setText(byId("consent-lead", HTMLElement), "consent.lead");
  show("consent");
  idleAfter(IDLE_S.onPhone, leave);
  if (session.left_ms !== null) holdIdle(session.left_ms + GRACE_MS);
}

/** @param {Visit} v */
async function offerOutfits(v) {
  // The chat says already that they are here.
  setText(byId("consent-title", HTMLElement), "consent.thanks");
  clearText(byId("consent-lead", HTMLElement));
  show("consent");
  const outfits = await api.templates(language(), v.signal);
  drawOutfits(outfits, (id) => void guarded(v, () => choose(v, id)));
  show("outfits");
  idleAfter(IDLE_S.outfits, leave);
}

/**
 * @param {Visit} v
 * @param {string} id
 */
async function choose(v, id) {
  document.querySelector(`[data-outfit="${CSS.escape(id)}"]`)?.setAttribute("aria-busy", "true");
  try {
    v.epoch++;
    const session = await api.choose(v.token, id, v.signal);
    v.epoch++;
    follow(v, session);
  } finally {
    for (const card of document.querySelectorAll("[data-outfit]")) card.removeAttribute("aria-busy");
  }
}
