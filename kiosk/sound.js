import { recall, remember } from "./store.js";

/** @type {AudioContext | null} */
let context = null;
let muted = recall("local", "muted") === "yes";

export const isMuted = () => muted;

/** @param {boolean} value */
export function mute(value) {
  muted = value;
  remember("local", "muted", value ? "yes" : null);
}

/**
 * @param {number} hertz
 * @param {number} lengthS
 * @param {number} loudness 0…1
 * @param {number} [delayS]
 */
function tone(hertz, lengthS, loudness, delayS = 0) {
  if (muted) return;
  try {
    context ??= new AudioContext();
    void context.resume();
    const at = context.currentTime + delayS;
    const voice = context.createOscillator();
    const volume = context.createGain();
    voice.frequency.value = hertz;
    volume.gain.setValueAtTime(loudness, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + lengthS);
    voice.connect(volume).connect(context.destination);
    voice.start(at);
    voice.stop(at + lengthS);
  } catch {
    // A tablet without sound is still a booth.
  }
}

/** One step of 3-2-1. */
export const tick = () => tone(660, 0.18, 0.25);

export function shutter() {
  tone(1320, 0.08, 0.3);
  tone(880, 0.25, 0.25, 0.07);
}
