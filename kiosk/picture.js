import { api } from "./api.js";
import { drawPhoneFacts } from "./draw.js";
import { guarded } from "./endings.js";
import { fateOf } from "./fate.js";
import { isHopeless } from "./frame.js";
import { current, leave } from "./guest.js";
import { framingOf } from "./hints.js";
import { idleAfter, noIdle } from "./idle.js";
import { byId, clearText, screen, setText, show } from "./screens.js";
import { sendPhoto } from "./send.js";
import { closeCamera, countAndShoot, openCamera, pause, takeFile } from "./shoot.js";
import { isTextKey } from "./texts.js";

/** How long the guest is kept while the photo is being checked. */
const CHECK_MS = 8000;
/** Idle ends of the screens, seconds. */
const IDLE_S = { camera: 60, review: 45, sending: 180, again: 45 };
const FAREWELL_S = 20;

/** @typedef {import("./visit.js").Visit} Visit */

export function toCamera() {
  show("camera");
  openCamera();
  idleAfter(IDLE_S.camera, leave);
}

/** The shutter, or a picked file. @param {"camera" | "file"} source */
export function takePhoto(source) {
  const v = current();
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
    // The guest has left meanwhile, or sent a selfie from the phone.
    if (v.photo !== photo) return;
    closeCamera();
    setText(byId("review-lead", HTMLElement), "review.lead");
    show("review");
    idleAfter(IDLE_S.review, leave);
    void warnOf(photo, shot);
  });
}

/**
 * A picture that the server would refuse costs a call and the guest's patience; the guest decides all the same.
 * @param {import("./types.js").Photo} photo
 * @param {HTMLImageElement} shot
 */
async function warnOf(photo, shot) {
  const framing = await framingOf(shot);
  if (current()?.photo !== photo || !isHopeless(framing)) return;
  setText(byId("review-lead", HTMLElement), framing === "nobody" ? "review.nobody" : "review.several");
}

export function retake() {
  const v = current();
  if (!v || (screen() !== "review" && screen() !== "again")) return;
  v.forgetPhoto();
  byId("shot", HTMLImageElement).removeAttribute("src");
  toCamera();
}

export function usePhoto() {
  const v = current();
  if (!v?.photo || screen() !== "review") return;
  const { photo } = v;
  void guarded(v, async () => {
    show("sending");
    idleAfter(IDLE_S.sending, leave);
    try {
      v.epoch++;
      const session = await sendPhoto(v);
      // A poll has told what became of it, while its own answer hung.
      if (v.photo !== photo) return;
      v.epoch++;
      v.session = session;
      accepted(v);
    } catch (error) {
      if (v.photo !== photo) return;
      const fate = fateOf(error);
      if (fate === "retake") return offerRetake(v, "bad_image");
      if (fate !== "follow") throw error;
      // The session has moved meanwhile, by the guest's phone perhaps; unless it has not, the next poll follows it.
      const { status, problem } = await api.look(v.token, v.signal);
      if (status === "template_chosen") offerRetake(v, problem ?? "other");
    }
  });
}

/** The server has the photo: look at the screen until the check is over, then at the phone. @param {Visit} v */
export function accepted(v) {
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
export function offerRetake(v, problem) {
  v.sent = false;
  v.giveUpPhoto();
  const titleKey = `problem.${problem}.title`;
  const leadKey = `problem.${problem}.lead`;
  setText(byId("again-title", HTMLElement), isTextKey(titleKey) ? titleKey : "problem.other.title");
  setText(byId("again-lead", HTMLElement), isTextKey(leadKey) ? leadKey : "problem.other.lead");
  show("again");
  idleAfter(IDLE_S.again, leave);
}

/** @param {Visit} v */
export function toPhone(v) {
  setText(byId("phone-lead", HTMLElement), "phone.lead");
  clearText(byId("phone-facts", HTMLElement));
  if (v.session) drawPhoneFacts(v.session);
  show("phone");
  idleAfter(FAREWELL_S, leave, { ask: false });
}
