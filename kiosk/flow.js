import { ApiError, api } from "./api.js";
import { missed, reached } from "./connection.js";
import { drawOutfits, drawPhoneFacts, drawQr, forgetGuest, showMessage } from "./draw.js";
import { idleAfter, noIdle } from "./idle.js";
import { byId, clearText, language, screen, setLanguage, setText, show } from "./screens.js";
import { sendPhoto } from "./send.js";
import { closeCamera, countAndShoot, openCamera, pause, takeFile } from "./shoot.js";
import { lower } from "./start.js";
import { kioskId, recall } from "./store.js";
import { isLang, isTextKey } from "./texts.js";
import { Visit } from "./visit.js";

const POLL_EVERY_MS = 1000;
/** How long the guest is kept while the photo is being checked. */
const CHECK_MS = 8000;
/** Idle ends of the screens, seconds; while the guest reads on the phone there is time. */
const IDLE_S = { qr: 90, onPhone: 180, outfits: 60, camera: 60, review: 45, sending: 180, again: 45 };
const FAREWELL_S = 20;
const RETRY_START_S = 10;

/** @typedef {import("./api.js").Session} Session */

/** @type {Visit | null} The guest in front of the screen. */
let visit = null;

export const idle = () => visit === null && screen() === "start";

/** The language of a free screen: the event's or the tablet's. */
export function homeLanguage() {
  const wanted = [recall("local", "lang"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find(isLang) ?? "ru";
}

/** Ends the visit, if there is one, and makes the screen the next guest's. */
export function leave() {
  const old = visit;
  visit = null;
  old?.end();
  noIdle();
  closeCamera();
  forgetGuest();
  lower(false);
  setLanguage(homeLanguage());
  byId("begin", HTMLElement).removeAttribute("aria-busy");
  show("start");
}

/** The visit has not begun after all; the chosen language stays. @param {Visit} v */
function backToStart(v) {
  visit = null;
  v.end();
  forgetGuest();
  byId("begin", HTMLElement).removeAttribute("aria-busy");
}

/** Start was pressed. */
export function begin() {
  if (visit) return;
  const v = new Visit();
  visit = v;
  byId("begin", HTMLElement).setAttribute("aria-busy", "true");
  void guarded(v, async () => {
    const session = await api.open(kioskId(), language(), v.signal);
    reached();
    v.opened(session.token);
    v.session = session;
    await drawQr(session, await api.qr(session.token, v.signal));
    show("qr");
    idleAfter(IDLE_S.qr, leave);
    void poll(v);
  });
}

/**
 * Runs a step of a visit; what goes wrong in it becomes a screen, unless the visit is over already.
 * @param {Visit} v
 * @param {() => Promise<void>} step
 */
async function guarded(v, step) {
  try {
    await v.once(step);
  } catch (error) {
    if (!v.ended) failed(v, error);
  }
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
      if (error.status === 0 || error.status >= 500) missed();
      else if (error.status === 429) waitMs = Math.max(waitMs, error.retryAfterS * 1000);
      else return failed(v, error);
    }
    await pause(waitMs, v.signal).catch(() => {});
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

/** @param {Session} session */
function waitForConsent(session) {
  const name = session.guest_name?.trim();
  const title = byId("consent-title", HTMLElement);
  if (name) setText(title, "consent.hello", { name });
  else setText(title, "consent.title");
  show("consent");
  idleAfter(IDLE_S.onPhone, leave);
}

/** @param {Visit} v */
async function offerOutfits(v) {
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

function toCamera() {
  show("camera");
  openCamera();
  idleAfter(IDLE_S.camera, leave);
}

/** The shutter, or a picked file. @param {"camera" | "file"} source */
export function takePhoto(source) {
  const v = visit;
  if (!v || screen() !== "camera") return;
  void guarded(v, async () => {
    const photo = await (source === "camera" ? countAndShoot(v.signal) : takeFile(v.signal));
    if (!photo) return;
    if (v.ended || screen() !== "camera") return photo.forget();
    v.forgetPhoto();
    v.photo = photo;
    const shot = byId("shot", HTMLImageElement);
    shot.src = photo.url;
    await shot.decode().catch(() => {});
    if (v.ended) return;
    closeCamera();
    show("review");
    idleAfter(IDLE_S.review, leave);
  });
}

export function retake() {
  if (!visit || (screen() !== "review" && screen() !== "again")) return;
  visit.forgetPhoto();
  byId("shot", HTMLImageElement).removeAttribute("src");
  toCamera();
}

export function usePhoto() {
  const v = visit;
  if (!v?.photo || screen() !== "review") return;
  void guarded(v, async () => {
    show("sending");
    idleAfter(IDLE_S.sending, leave);
    try {
      v.epoch++;
      const session = await sendPhoto(v);
      v.epoch++;
      accepted(v);
      follow(v, session);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if ([413, 415, 422].includes(error.status)) return offerRetake(v, "bad_image");
      if (error.code !== "wrong_status") throw error;
      // The session has moved meanwhile, by the guest's phone perhaps: ask where it stands.
      const session = await api.look(v.token, v.signal);
      if (session.status === "template_chosen") offerRetake(v, session.problem ?? "other");
      else follow(v, session);
    }
  });
}

/** The server has the photo: look at the screen until the check is over, then at the phone. @param {Visit} v */
function accepted(v) {
  v.sent = true;
  const turn = ++v.epoch;
  v.forgetPhoto();
  closeCamera();
  byId("shot", HTMLImageElement).removeAttribute("src");
  setText(byId("sending-title", HTMLElement), "sending.check.title");
  setText(byId("sending-lead", HTMLElement), "sending.check.lead");
  byId("meter", HTMLElement).hidden = true;
  show("sending");
  noIdle();
  void pause(CHECK_MS, v.signal).then(
    () => v.sent && v.epoch === turn && screen() === "sending" && toPhone(v),
    () => {},
  );
}

/**
 * @param {Visit} v
 * @param {string} problem
 */
function offerRetake(v, problem) {
  v.sent = false;
  v.forgetPhoto();
  const titleKey = `problem.${problem}.title`;
  const leadKey = `problem.${problem}.lead`;
  setText(byId("again-title", HTMLElement), isTextKey(titleKey) ? titleKey : "problem.other.title");
  setText(byId("again-lead", HTMLElement), isTextKey(leadKey) ? leadKey : "problem.other.lead");
  show("again");
  idleAfter(IDLE_S.again, leave);
}

/** @param {Visit} v */
function toPhone(v) {
  setText(byId("phone-lead", HTMLElement), "phone.lead");
  clearText(byId("phone-facts", HTMLElement));
  if (v.session) drawPhoneFacts(v.session);
  show("phone");
  idleAfter(FAREWELL_S, leave, { ask: false });
}

/**
 * A last word, then home by itself. Nothing of the guest is kept meanwhile.
 * @param {Visit} v
 * @param {import("./draw.js").Ending} ending
 * @param {number} [seconds]
 */
function end(v, ending, seconds = FAREWELL_S) {
  // What the server has ended needs no expire of ours.
  if (["failed", "blocked", "timeout", "declined", "reset"].includes(ending)) v.sent = true;
  v.end();
  closeCamera();
  forgetGuest();
  showMessage(ending);
  if (ending === "maintenance" || ending === "not_ready")
    idleAfter(RETRY_START_S, () => void tryAgain(ending), { ask: false });
  else idleAfter(seconds, leave, { ask: false });
}

/**
 * @param {Visit} v
 * @param {unknown} error
 */
function failed(v, error) {
  if (!(error instanceof ApiError)) {
    console.error(error);
    return end(v, "server");
  }
  if (error.status === 0) {
    missed(true);
    // Before the code is shown there is nothing to go on with: back to Start, under the overlay.
    if (screen() === "start") backToStart(v);
    return;
  }
  if (error.code === "wrong_status") return;
  if (error.code === "maintenance" || error.code === "not_ready") return end(v, error.code);
  if (error.code === "pack_limit") return end(v, "blocked");
  if (error.status === 429) return end(v, "busy", Math.max(error.retryAfterS, 5));
  if (error.status === 401 || error.status === 403) return end(v, "unpaired");
  if (error.status === 404) return end(v, v.token ? "timeout" : "unpaired");
  end(v, "server");
}

/** Closed for a while: asks by itself whether the booth is open again. @param {"maintenance" | "not_ready"} ending */
async function tryAgain(ending) {
  const v = visit;
  if (!v) return leave();
  try {
    const { token } = await api.open(kioskId(), language(), new AbortController().signal);
    const probe = new Visit();
    probe.opened(token);
    probe.end();
    if (visit === v) leave();
  } catch (error) {
    if (visit !== v) return;
    const code = error instanceof ApiError ? error.code : "";
    if (code === "offline") missed(true);
    const next = code === "maintenance" || code === "not_ready" ? code : ending;
    showMessage(next);
    idleAfter(RETRY_START_S, () => void tryAgain(next), { ask: false });
  }
}
