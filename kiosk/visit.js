import { api } from "./api.js";
import { recall, remember } from "./store.js";

const EXPIRE_RETRY_MS = 5000;
const KEPT_EXPIRES = 20;

/**
 * One guest's visit, from Start until the screen is free again. All that belongs to the guest hangs on it:
 * ending it stops every request and drops the photo, so nothing late can reach the next guest's screen.
 */
export class Visit {
  token = "";
  /** @type {import("./types.js").Session | null} */
  session = null;
  /** @type {import("./types.js").Photo | null} */
  photo = null;
  /** Rises with everything this kiosk changes in the session: a poll asked before the change is stale. */
  epoch = 0;
  /** The photo is with the server: from here the session outlives the visit. */
  sent = false;
  #stop = new AbortController();
  #photoStop = new AbortController();
  #busy = false;

  get signal() {
    return this.#stop.signal;
  }

  /** Fires when the photo is given up, and with the visit. */
  get photoSignal() {
    return this.#photoStop.signal;
  }

  get ended() {
    return this.#stop.signal.aborted;
  }

  /**
   * Runs one action at a time: whoever taps during it starts nothing.
   * @param {() => Promise<void>} action
   */
  async once(action) {
    if (this.#busy || this.ended) return;
    this.#busy = true;
    try {
      await action();
    } finally {
      this.#busy = false;
    }
  }

  forgetPhoto() {
    this.photo?.forget();
    this.photo = null;
  }

  /** The photo is of no use any more: nor is its upload. */
  giveUpPhoto() {
    this.#photoStop.abort();
    this.#photoStop = new AbortController();
    this.forgetPhoto();
  }

  end() {
    this.#stop.abort();
    this.giveUpPhoto();
    this.session = null;
    if (this.token && !this.sent) expire(this.token);
    remember("session", "open", null);
  }

  /** @param {string} token */
  opened(token) {
    this.token = token;
    // A crash leaves this behind; the next start of the page closes the session.
    remember("session", "open", token);
  }
}

/** @returns {string[]} */
function owed() {
  return (recall("session", "expire") ?? "").split(" ").filter(Boolean);
}

/** @param {string[]} tokens */
function owe(tokens) {
  remember("session", "expire", tokens.slice(-KEPT_EXPIRES).join(" ") || null);
}

/** One for all that is owed: a retry of each call's own would double their number each time. */
let retry = 0;
/** Being closed just now. @type {Set<string>} */
const asked = new Set();

/** Closes a session, now or as soon as the network allows. @param {string} token */
export function expire(token) {
  owe([...owed().filter((other) => other !== token), token]);
  if (asked.has(token)) return;
  asked.add(token);
  const answer = api.expire(token).finally(() => asked.delete(token));
  void answer.then(
    () => paid(token),
    (error) => {
      if (error.status >= 400 && error.status < 500 && error.status !== 429) paid(token);
      else retry ||= window.setTimeout(settleOwed, EXPIRE_RETRY_MS);
    },
  );
}

/** @param {string} token */
function paid(token) {
  owe(owed().filter((other) => other !== token));
}

export function settleOwed() {
  clearTimeout(retry);
  retry = 0;
  for (const token of owed()) expire(token);
}

/** After a reload or a crash: whatever was open is closed. */
export function closeLeftOver() {
  const token = recall("session", "open");
  remember("session", "open", null);
  if (token) expire(token);
  else settleOwed();
}
