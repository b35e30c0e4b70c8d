/** What several outfits are made of. Coordinates as in `decor.ts`: origin between the eyes, chin near y 185. */
import { flat, ink, line, round, shape, stroke } from "../decor.ts";
import type { HatBand, HeadShape } from "../head.ts";

export { at, flat, heart, ink, line, round, shape, sparkle, star, starPath, stroke } from "../decor.ts";
export type { HeadShape } from "../head.ts";

/**
 * What an outfit adds: behind the head and in front of it. `hat` hides the hair above its brim; `extent` says
 * where the dressed head ends when that is not where the hair does.
 */
export type Dressed = { behind: string; front: string; hat?: HatBand; extent?: Partial<HeadShape> };
/** `variant` counts the stickers of a sheet from 0, so that each differs. */
export type Outfit = (head: HeadShape, variant: number) => Dressed;

/** The `variant`-th of a list, going round. */
export const pick = <T>(list: readonly T[], variant: number): T => list[variant % list.length]!;

export const bodyPath =
  "M-66 196C-72 222 -104 230 -138 242C-192 262 -216 304 -220 392C-110 408 110 408 220 392C216 304 192 262 138 242C104 230 72 222 66 196C40 226 -40 226 -66 196Z";
/** Shoulders and chest in one colour, with a shaded side. */
export const body = (fill: string, shade: string): string =>
  shape(bodyPath, fill, 7) +
  flat("M138 242C192 262 216 304 220 392C200 395 178 398 156 400C166 340 160 286 112 236Z", shade, 0.55) +
  line("M-150 400C-150 372 -152 350 -160 326M150 400C150 372 152 350 160 326", ink, 5);

/** Half of a hat's width at its band: as wide as the head, within what looks like a hat. */
export const bandOf = (head: HeadShape): { middle: number; half: number } => {
  const middle = round(((head.left + head.right) / 2) * 0.35);
  return { middle, half: round(Math.max(112, Math.min(158, (head.right - head.left) / 2 + 6))) };
};

/** Round glasses' or goggles' shine. */
export const shine = (d: string, opacity = 0.8): string => flat(d, "#fff", opacity);
export const button = (x: number, y: number, fill: string, r = 9): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${stroke(4)}/>`;
