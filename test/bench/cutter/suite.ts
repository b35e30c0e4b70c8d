/** The sheets: which seeds tune, which report, and what is done to each. */
import type { Corruption } from "./corrupt.ts";
import type { SheetSpec } from "./truth.ts";

const GREEN = { r: 0, g: 255, b: 0 };
const MAGENTA = { r: 255, g: 0, b: 255 };
const BLUE = { r: 0, g: 0, b: 255 };
const CYAN = { r: 0, g: 255, b: 255 };
const ODD = { r: 96, g: 214, b: 60 };

export const TUNING_SEEDS = [1, 2, 3];
export const REPORTING_SEEDS = [101, 102, 103, 104];

export type Case = {
  family: string;
  spec: SheetSpec;
  how: Corruption;
  /** A clean refusal is the right answer. */
  refused?: boolean;
};

/** The four families that the aims speak of: 2048², nine stickers. */
export function mainCases(seeds: number[]): Case[] {
  return seeds.flatMap((seed, i) => {
    const key = [GREEN, MAGENTA, GREEN, ODD][i % 4]!;
    const base = { seed, count: 9, side: 2048, key };
    return [
      { family: "bordered PNG", spec: { ...base, bordered: true }, how: {} },
      { family: "bordered JPEG 92", spec: { ...base, bordered: true }, how: { jpeg: 92 } },
      { family: "plain PNG", spec: { ...base, bordered: false }, how: {} },
      { family: "plain JPEG 92", spec: { ...base, bordered: false }, how: { jpeg: 92 } },
    ];
  });
}

/** Everything that goes wrong with sheets, one fault or two at a time. */
export function hardCases(seeds: number[]): Case[] {
  const faults: [string, Partial<SheetSpec>, Corruption][] = [
    ["JPEG 85", {}, { jpeg: 85 }],
    ["JPEG 95", {}, { jpeg: 95 }],
    ["WebP 90", {}, { webp: 90 }],
    ["noise 5", {}, { noise: 5 }],
    ["graded key", {}, { graded: 50 }],
    ["graded JPEG 90", {}, { graded: 50, jpeg: 90 }],
    ["tinted key", {}, { tint: { r: 38, g: 226, b: 52 } }],
    ["tilt 1°", {}, { tiltDegrees: 1 }],
    ["grid lines", {}, { lines: { width: 4, colour: "#7a8a7a" } }],
    ["white grid lines JPEG", {}, { lines: { width: 6, colour: "#ffffff" }, jpeg: 92 }],
    ["soft shadow", {}, { shadow: { opacity: 0.4, blur: 12, shift: 14 } }],
    ["soft shadow JPEG", {}, { shadow: { opacity: 0.35, blur: 9, shift: 10 }, jpeg: 92 }],
    ["uneven", { uneven: true }, {}],
    ["empty cell", { empty: 1 }, {}],
    ["touching", { touching: 3 }, {}],
    ["touching JPEG 92", { touching: 3 }, { jpeg: 92 }],
    ["4 stickers", { count: 4 }, {}],
    ["6 stickers", { count: 6 }, {}],
    ["12 stickers", { count: 12 }, { jpeg: 92 }],
    ["16 stickers", { count: 16 }, {}],
    ["blue key", { key: BLUE }, { jpeg: 92 }],
    ["cyan key", { key: CYAN }, { jpeg: 92 }],
    ["transparent", {}, { transparent: true }],
  ];
  const cases = seeds.flatMap((seed, i) =>
    faults.map(([family, spec, how], f) => ({
      family,
      spec: { seed: seed * 100 + f, count: 9, side: 1536, key: GREEN, bordered: (i + f) % 2 === 0, ...spec },
      how,
    })),
  );
  const board = { seed: 1, count: 9, side: 1536, key: GREEN, bordered: true };
  return [...cases, { family: "checkerboard", spec: board, how: { checkerboard: true }, refused: true }];
}
