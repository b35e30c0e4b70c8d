// Keeps the shell of the kiosk (page, styles, scripts, drawings), whole and of one version, for when there is no
// network. What concerns a guest is never kept: sessions, templates and everything else go to the network.

/**
 * @typedef {Event & {waitUntil(work: Promise<unknown>): void}} Extendable
 * @typedef {Extendable & {request: Request, respondWith(answer: Promise<Response>): void}} Fetching
 */

/** A page that is just being loaded gets all its files of one version. */
const LOOK_AFTER_MS = 3000;
/** The server's word for all the shell's files together: one small answer tells whether any of them is new. */
const VERSION = "/shell-version";
const VERSION_FORM = /^[\w-]{1,64}$/;
/** Says which shelf holds the shell of today; each version has a shelf of its own, so none is ever half of another. */
const INDEX = "kiosk";
const TODAY = "/today";
const LANGS = ["ru", "uz", "en"];
const OUTFITS = ["astronaut", "royal", "superhero", "chef", "rockstar", "wizard", "chopon", "detective"];
const STYLES = ["tokens", "style", "controls", "screens", "attract", "start", "visit", "camera", "operator"];
const SCRIPTS = [
  ...["main", "api", "attract", "branding", "calm", "camera", "cameras", "connection", "draw", "endings"],
  ...["faces", "fate", "flow", "frame", "gestures", "guest", "heartbeat", "hints", "idle", "operator"],
  ...["palette", "photo", "picture", "screens", "send", "shell", "shoot", "sound", "start", "store", "texts"],
  ...["visit", "wake", "whole", "faces/convolve", "faces/find", "faces/model", "faces/net", "faces/worker"],
  ...[...LANGS, "operator"].map((name) => `texts/${name}`),
];
const ART = ["again", "clock", "cloud", "heart", "phone", "plane", "rest"];
const FILES = [
  ...["/", "/kiosk.webmanifest", "/icon.svg"],
  ...STYLES.map((name) => `/${name}.css`),
  ...SCRIPTS.map((name) => `/${name}.js`),
  ...ART.map((name) => `/art/${name}.svg`),
  ...OUTFITS.map((id) => `/outfits/${id}.svg`),
  ...LANGS.flatMap((lang) => OUTFITS.map((id) => `/samples/${lang}/${id}.webp`)),
];

/** Heavy, and the booth goes on without it: kept once a page has asked for it. */
const FACE_MODEL = "/faces/face_detection_short_range.tflite";

/** One look at the network at a time. @type {Promise<void> | null} */
let looking = null;

/** @returns {Promise<string>} the version that the network has now */
async function versionNow() {
  const answer = await fetch(VERSION, { cache: "no-store" });
  const version = answer.ok && !answer.redirected ? await answer.text() : "";
  // A hotel's sign-in page answers everything, too.
  if (!VERSION_FORM.test(version)) throw new Error("the version did not come");
  return version;
}

/**
 * Takes the whole shell from the network, if it is another; what is kept changes only when all of it has come, is of
 * one version and found room.
 */
async function takeShell() {
  const version = await versionNow();
  const name = `shell-${version}`;
  const old = await shelf();
  if (old === name) return;
  const answers = await Promise.all(FILES.map((file) => fetch(file, { cache: "no-cache" })));
  if (answers.some((answer) => !answer.ok || answer.redirected)) throw new Error("the shell is not whole");
  if ((await versionNow()) !== version) throw new Error("the shell changed on its way");
  await putOnShelf(name, answers);
  if (!old) return;
  const clients = /** @type {{matchAll(): Promise<{postMessage(message: string): void}[]>}} */ (
    Reflect.get(self, "clients")
  );
  for (const client of await clients.matchAll()) client.postMessage("new version");
}

/** The shelf of today: the page asks for dozens of files at once. @type {Promise<Cache | null> | null} */
let known = null;

/** Where the shell of today is. @returns {Promise<string | null>} */
async function shelf() {
  const name = await (await (await caches.open(INDEX)).match(TODAY))?.text();
  return name && (await caches.has(name)) ? name : null;
}

/**
 * @param {string} name
 * @param {Response[]} answers of `FILES`, in their order
 */
async function putOnShelf(name, answers) {
  const index = await caches.open(INDEX);
  try {
    const fresh = await caches.open(name);
    await Promise.all(FILES.map((file, at) => fresh.put(file, /** @type {Response} */ (answers[at]))));
    await index.put(TODAY, new Response(name));
    known = null;
  } catch (error) {
    // No room on this tablet: the shell of before stays.
    await caches.delete(name);
    throw error;
  }
  for (const other of await caches.keys()) if (other !== INDEX && other !== name) await caches.delete(other);
}

function look() {
  looking ??= takeShell().finally(() => {
    looking = null;
  });
  return looking;
}

async function lookLater() {
  await new Promise((resolve) => setTimeout(resolve, LOOK_AFTER_MS));
  await look();
}

self.addEventListener("install", (event) => {
  Reflect.apply(Reflect.get(self, "skipWaiting"), self, []);
  /** @type {Extendable} */ (event).waitUntil(look());
});

self.addEventListener("activate", (event) => {
  const { clients } = /** @type {{clients: {claim(): Promise<void>}}} */ (/** @type {unknown} */ (self));
  /** @type {Extendable} */ (event).waitUntil(clients.claim());
});

self.addEventListener("message", (event) => {
  if (event.data === "look for a new version")
    /** @type {Extendable} */ (/** @type {unknown} */ (event)).waitUntil(look().catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const fetching = /** @type {Fetching} */ (event);
  const { request } = fetching;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname === FACE_MODEL) return fetching.respondWith(newest(request));
  if (!FILES.includes(url.pathname)) return;
  fetching.respondWith(answer(request, url.pathname));
  // Whatever is kept, even if it is broken: the next reload has the newest.
  if (request.mode === "navigate") fetching.waitUntil(lookLater().catch(() => {}));
});

/**
 * @param {Request} request
 * @param {string} path
 */
async function answer(request, path) {
  try {
    known ??= shelf().then((name) => (name ? caches.open(name) : null));
    const kept = await (await known)?.match(path);
    if (kept) return kept;
  } catch {
    // A tablet's storage fails at times: the network has the file too, and the next one is looked for anew.
  }
  known = null;
  return fetch(request);
}

/** The network's, kept for when there is none. @param {Request} request */
async function newest(request) {
  const cache = await caches.open(INDEX).catch(() => null);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache?.put(request, answer.clone()).catch(() => {});
    return answer;
  } catch (error) {
    const kept = await cache?.match(request);
    if (kept) return kept;
    throw error;
  }
}
