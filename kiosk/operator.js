import { eventPin } from "./branding.js";
import { Camera } from "./camera.js";
import { cameras } from "./cameras.js";
import { facesCondition } from "./faces.js";
import { byId, language, setText } from "./screens.js";
import { lendCamera, takeCameraBack } from "./shoot.js";
import { kioskId, recall, remember } from "./store.js";
import * as words from "./texts/operator.js";
import { addTexts, say } from "./texts.js";
import { isAwake } from "./wake.js";

const TRIES = 5;
const LOCK_MS = 60_000;
const DESCRIBE_EVERY_MS = 1000;
/** Whoever opened the corner, or a child the question for the PIN, has gone: the next guest finds Start. */
const LEFT_AFTER_S = 90;
/** The seconds are shown when they run out. */
const SHOWN_S = 15;

addTexts(words);
const styled = new Promise((resolve) => {
  const link = make("link", null);
  Object.assign(link, { rel: "stylesheet", href: "/operator.css", onload: resolve, onerror: resolve });
  document.head.append(link);
});

let wrong = 0;
let lockedUntil = 0;

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {import("./texts.js").TextKey | null} key
 * @param {string} className
 */
function make(name, key, className = "") {
  const element = document.createElement(name);
  element.className = className;
  if (key) setText(element, key);
  return element;
}

/** @param {HTMLElement[]} content */
function open(content) {
  const dialog = byId("operator", HTMLDialogElement);
  const title = make("h2", "operator.title");
  title.id = "operator-title";
  const close = make("button", "operator.close", "quiet");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(title, ...content, close);
  if (dialog.open) return;
  dialog.showModal();
  closeWhenLeft(dialog);
}

/** @param {HTMLDialogElement} dialog */
function closeWhenLeft(dialog) {
  let left = LEFT_AFTER_S;
  const closed = new AbortController();
  const show = () => {
    const close = dialog.querySelector("button.quiet");
    if (close instanceof HTMLElement) close.dataset.left = left <= SHOWN_S ? String(left) : "";
  };
  const touched = () => {
    left = LEFT_AFTER_S;
    show();
  };
  for (const type of ["pointerdown", "keydown", "change"]) dialog.addEventListener(type, touched, closed);
  const clock = setInterval(() => {
    left--;
    show();
    if (left <= 0) dialog.close();
  }, 1000);
  const end = () => {
    closed.abort();
    clearInterval(clock);
  };
  dialog.addEventListener("close", end, { once: true });
}

/** The corner opens for who knows the PIN. */
export async function askPin() {
  await styled;
  if (!eventPin() && !recall("local", "pin")) return open([make("p", "operator.unset")]);
  if (performance.now() < lockedUntil) return open([make("p", "operator.locked")]);
  const form = make("form", null, "pin");
  const label = make("label", "operator.pin");
  const input = make("input", null);
  input.type = "password";
  input.inputMode = "numeric";
  input.autocomplete = "off";
  input.id = "pin";
  label.setAttribute("for", "pin");
  const refused = make("p", null);
  refused.setAttribute("role", "status");
  form.append(label, input, refused, make("button", "operator.enter", "plain"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = input.value;
    input.value = "";
    if (await isPin(given)) {
      wrong = 0;
      return openCorner();
    }
    setText(refused, "operator.wrong");
    if (++wrong < TRIES) return;
    wrong = 0;
    lockedUntil = performance.now() + LOCK_MS;
    void askPin();
  });
  open([form]);
  input.focus();
}

/**
 * The event's PIN, else the one that came with the address.
 * @param {string} given
 */
async function isPin(given) {
  const pin = eventPin();
  // Without https there is no digest to be had, and no camera either: the tablet is only being set up.
  if (!pin || !crypto.subtle) return given !== "" && given === recall("local", "pin");
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pin.salt + given));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("") === pin.sha256;
}

/** Camera with a test picture, the state in words, reload. */
function openCorner() {
  lendCamera();
  const video = make("video", null, "test-picture");
  video.muted = true;
  video.playsInline = true;
  const state = make("pre", null);
  const label = make("label", "operator.camera");
  const picker = make("select", null);
  picker.id = "picker";
  label.setAttribute("for", "picker");
  const camera = new Camera(video, (now) => {
    describe(state, camera);
    // Names of cameras are told only once one has been allowed.
    if (now === "live") void fillPicker(picker);
  });
  picker.addEventListener("change", () => {
    remember("local", "camera", picker.value || null);
    camera.stop();
    camera.start();
  });
  const reload = make("button", "operator.reload", "plain");
  reload.addEventListener("click", () => location.reload());
  open([label, picker, video, state, reload]);
  const closed = new AbortController();
  const refill = () => void fillPicker(picker);
  navigator.mediaDevices?.addEventListener?.("devicechange", refill, { signal: closed.signal });
  const clock = setInterval(() => describe(state, camera), DESCRIBE_EVERY_MS);
  const end = () => {
    closed.abort();
    clearInterval(clock);
    camera.stop();
    takeCameraBack();
  };
  byId("operator", HTMLDialogElement).addEventListener("close", end, { once: true });
  camera.start();
  refill();
}

/** @param {HTMLSelectElement} picker */
async function fillPicker(picker) {
  const chosen = recall("local", "camera") ?? "";
  const any = make("option", "operator.any");
  any.value = "";
  const found = (await cameras().catch(() => [])).filter(({ deviceId }) => deviceId);
  const options = found.map((device, index) => {
    const option = make("option", null);
    option.value = device.deviceId;
    option.textContent = device.label || `#${index + 1}`;
    return option;
  });
  if (chosen && !found.some(({ deviceId }) => deviceId === chosen)) {
    const gone = make("option", "operator.gone");
    gone.value = chosen;
    options.push(gone);
  }
  picker.replaceChildren(any, ...options);
  picker.value = chosen;
}

/**
 * What an operator looks for first, in the language of the screen; below it what helps whoever is asked by phone.
 * @param {HTMLElement} place
 * @param {Camera} camera
 */
function describe(place, camera) {
  const { videoWidth, videoHeight } = camera.video;
  const word = (/** @type {import("./texts.js").TextKey} */ key) => say(language(), key);
  const yes = (/** @type {unknown} */ holds) => word(holds ? "state.yes" : "state.no");
  /** @type {[import("./texts.js").TextKey, string][]} */
  const lines = [
    ["state.camera", `${word(`state.camera.${camera.condition}`)}, ${videoWidth}×${videoHeight}`],
    ["state.awake", yes(isAwake())],
    ["state.faces", word(`state.${facesCondition()}`)],
    ["state.shell", yes(navigator.serviceWorker?.controller)],
    ["state.network", yes(navigator.onLine)],
    ["state.key", yes(recall("local", "key"))],
    ["state.kiosk", kioskId()],
    ["state.version", document.querySelector("meta[name=version]")?.getAttribute("content") ?? ""],
    ["state.page", document.lastModified],
    ["state.screen", `${innerWidth}×${innerHeight} ×${devicePixelRatio}`],
  ];
  place.textContent = [...lines.map(([key, value]) => `${word(key)}: ${value}`), navigator.userAgent].join("\n");
}
