/** A seeded source of numbers (mulberry32), so that every run draws the same sheets. */
export type Random = {
  /** 0 ≤ n < 1 */
  next(): number;
  between(low: number, high: number): number;
  integer(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
};

export function seeded(seed: number): Random {
  let state = (seed * 2654435761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number) => low + (high - low) * next();
  const integer = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    integer,
    pick: (list) => list[integer(0, list.length - 1)]!,
    chance: (share) => next() < share,
  };
}
