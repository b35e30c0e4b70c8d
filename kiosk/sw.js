// Keeps the shell of the kiosk (page, styles, scripts, drawings), whole and of one version, for when there is no
// network. What concerns a guest is never kept: sessions, templates and everything else go to the network.

/**
 * @typedef {Event & {waitUntil(work: Promise<unknown>): void}} Extendable
 * @typedef {Extendable & {request: Request, respondWith(answer: Promise<Response>): void}} Fetching
 */

const KEPT = "shell";
const FILES = [
  "/",
  "/tokens.css",
  "/style.css",
  "/controls.css",
  "/screens.css",
  "/start.css",
  "/visit.css",
  "/phone.css",
  "/kiosk.webmanifest",
  "/icon.svg",
  ...["main", "api", "attract", "branding", "camera", "connection", "draw", "endings", "flow", "frame", "gestures"],
  ...[
    "guest",
    "heartbeat",
    "idle",
    "operator",
    "palette",
    "photo",
    "picture",
    "screens",
    "send",
    "shell",
    "shoot",
    "sound",
    "start",
    "store",
    "texts",
    "visit",
    "wake",
  ],
  ...["texts/ru", "texts/uz", "texts/en"],
  ...["again", "clock", "cloud", "heart", "phone", "plane", "rest"].map((name) => `/art/${name}.svg`),
  ...["astronaut", "royal", "superhero", "chef", "rockstar", "wizard", "chopon", "detective"].map(
    (id) => `/outfits/${id}.svg`,
  ),
].map((name) => (name.startsWith("/") ? name : `/${name}.js`));

/** One look at the network at a time. @type {Promise<void> | null} */
let looking = null;

/** Takes the whole shell from the network; what is kept changes only when all of it has come. */
async function takeShell() {
  const answers = await Promise.all(FILES.map((file) => fetch(file, { cache: "no-cache" })));
  if (answers.some((answer) => !answer.ok || answer.redirected)) throw new Error("the shell is not whole");
  const cache = await caches.open(KEPT);
  const before = await Promise.all(FILES.map((file) => cache.match(file)));
  const changed = await Promise.all(answers.map((answer, at) => differs(answer, before[at])));
  if (!changed.includes(true)) return;
  await Promise.all(FILES.map((file, at) => cache.put(file, /** @type {Response} */ (answers[at]))));
  if (before.every((answer) => answer === undefined)) return;
  const clients = /** @type {{matchAll(): Promise<{postMessage(message: string): void}[]>}} */ (
    Reflect.get(self, "clients")
  );
  for (const client of await clients.matchAll()) client.postMessage("new version");
}

/**
 * @param {Response} fresh
 * @param {Response | undefined} kept
 */
async function differs(fresh, kept) {
  if (!kept) return true;
  const [tag, keptTag] = [fresh, kept].map((answer) => answer.headers.get("etag"));
  if (tag && keptTag) return tag !== keptTag;
  return (await fresh.clone().text()) !== (await kept.clone().text());
}

function look() {
  looking ??= takeShell().finally(() => {
    looking = null;
  });
  return looking;
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
  if (request.method !== "GET" || url.origin !== location.origin || !FILES.includes(url.pathname)) return;
  fetching.respondWith(answer(request, url.pathname));
  // Whatever is kept, even if it is broken: the next reload has the newest.
  if (request.mode === "navigate") fetching.waitUntil(look().catch(() => {}));
});

/**
 * @param {Request} request
 * @param {string} path
 */
async function answer(request, path) {
  const kept = await (await caches.open(KEPT)).match(path);
  return kept ?? fetch(request);
}
