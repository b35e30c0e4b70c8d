// A story tells the same several times when a step was repeated: all but the last time is folded away.

/** @typedef {import("../answers.ts").Told} Told */
/** One entry, or repetitions of what follows. @typedef {{told: Told} | {hidden: Told[], times: number}} Piece */

/** A drawing and a check, each with its call, and a few more. */
const LONGEST = 12;

/** @param {Told[]} entries oldest first @returns {Piece[]} */
export function folded(entries) {
  /** @type {Piece[]} */
  const pieces = [];
  let i = 0;
  while (i < entries.length) {
    const { length, times } = repetitionAt(entries, i);
    if (times > 1) {
      const hidden = entries.slice(i, i + length * (times - 1));
      pieces.push({ hidden, times: times - 1 });
      i += hidden.length;
    }
    for (const told of entries.slice(i, i + length)) pieces.push({ told });
    i += length;
  }
  return pieces;
}

/** The shortest block that is told again right after itself, and how often in a row. @param {Told[]} entries @param {number} from */
function repetitionAt(entries, from) {
  for (let length = 1; length <= LONGEST; length++) {
    let times = 1;
    while (isSame(entries, from, from + times * length, length)) times++;
    if (times > 1) return { length, times };
  }
  return { length: 1, times: 1 };
}

/** @param {Told[]} entries @param {number} a @param {number} b @param {number} length */
function isSame(entries, a, b, length) {
  if (b + length > entries.length) return false;
  for (let i = 0; i < length; i++) {
    if (nameOf(entries[a + i]) !== nameOf(entries[b + i])) return false;
  }
  return true;
}

/** Details tell of attempts, which differ. @param {Told | undefined} told */
const nameOf = (told) => told && `${told.kind} ${told.tone} ${told.what}`;
