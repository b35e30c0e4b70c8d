// Browser storage that never throws: it can be full, forbidden or broken, and the booth goes on without it.

/** @param {"local" | "session"} kind */
function area(kind) {
  return kind === "local" ? window.localStorage : window.sessionStorage;
}

/**
 * @param {"local" | "session"} kind
 * @param {string} name
 * @returns {string | null}
 */
export function recall(kind, name) {
  try {
    return area(kind).getItem(`kiosk.${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {"local" | "session"} kind
 * @param {string} name
 * @param {string | null} value null forgets
 */
export function remember(kind, name, value) {
  try {
    if (value === null) area(kind).removeItem(`kiosk.${name}`);
    else area(kind).setItem(`kiosk.${name}`, value);
  } catch {
    // Nothing to do: what is remembered only makes the next start smoother.
  }
}

const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Kept here too: without storage the tablet must not be another one with each call. */
let id = "";

/** This tablet's own name, made once: it tells kiosks of one event apart. */
export function kioskId() {
  id ||= recall("local", "id") ?? "";
  if (id) return id;
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  id = `kiosk-${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
  remember("local", "id", id);
  return id;
}

/** Takes `#key=…`, `#pin=…` and `#lang=…` from the address once, keeps them here and wipes them from the address. */
export function takeSettings() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of ["key", "pin", "lang"]) {
    const value = given.get(name);
    if (value !== null) remember("local", name, value || null);
  }
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}
