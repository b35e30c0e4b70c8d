/**
 * Small drawings around a head. Coordinates are hundredths of the distance between the eyes, origin
 * between the eyes; `left` and `right` are the head's sides, `top` its top.
 */
import type { HeadShape } from "./head.ts";
import { randomFrom } from "./pixels.ts";

export const ink = "#2b1b34";
export const stroke = (width = 6): string =>
  `stroke="${ink}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;

/** A path in the house's line: filled and outlined in ink. */
export const shape = (d: string, fill: string, width = 6): string => `<path d="${d}" fill="${fill}" ${stroke(width)}/>`;
/** A path without an outline: light and shade. */
export const flat = (d: string, fill: string, opacity = 1): string =>
  `<path d="${d}" fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ""}/>`;
export const line = (d: string, colour = ink, width = 6): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"/>`;
export const at = (x: number, y: number, scale: number, turn: number, content: string): string =>
  `<g transform="translate(${round(x)} ${round(y)}) rotate(${round(turn)}) scale(${scale})">${content}</g>`;
export const round = (value: number): number => Math.round(value * 10) / 10;

const heartPath = "M0 34C-46 4 -38 -34 -14 -34C-4 -34 0 -26 0 -20C0 -26 4 -34 14 -34C38 -34 46 4 0 34Z";
export const heart = (fill = "#ff3d6e"): string =>
  shape(heartPath, fill) + flat("M-22 -20C-28 -14 -28 -6 -24 -2C-24 -10 -20 -16 -14 -20Z", "#fff", 0.85);
export const star = (fill = "#ffd43b"): string =>
  shape(starPath(5, 38, 17), fill) + flat("M-6 -16L0 -28L4 -12Z", "#fff", 0.7);
export const sparkle = (fill = "#fff3a6"): string =>
  shape("M0 -40C4 -10 10 -4 34 0C10 4 4 10 0 40C-4 10 -10 4 -34 0C-10 -4 -4 -10 0 -40Z", fill);

/** A star or burst of `points` tips around the origin. */
export function starPath(points: number, outer: number, inner: number, turn = -90): string {
  const parts: string[] = [];
  for (let i = 0; i < points * 2; i++) {
    const radius = i % 2 ? inner : outer;
    const angle = ((turn + (180 * i) / points) * Math.PI) / 180;
    parts.push(`${round(radius * Math.cos(angle))} ${round(radius * Math.sin(angle))}`);
  }
  return `M${parts.join("L")}Z`;
}

const drop = (fill = "#6fd3ff"): string =>
  shape("M0 -38C14 -14 24 0 24 14A24 24 0 0 1 -24 14C-24 0 -14 -14 0 -38Z", fill) +
  flat("M-14 12A14 14 0 0 0 -4 26C-12 26 -18 20 -14 12Z", "#fff", 0.9);
const zed = (size: number): string =>
  line("M-20 -24H20L-20 24H22", ink, 24 + 4 / size) + line("M-20 -24H20L-20 24H22", "#ffffff", 12);
const flower = (petals: string): string =>
  `${[0, 72, 144, 216, 288]
    .map(
      (turn) =>
        `<g transform="rotate(${turn})">${shape("M0 0C-20 -12 -18 -38 0 -40C18 -38 20 -12 0 0Z", petals, 5)}</g>`,
    )
    .join("")}<circle r="12" fill="#ffd43b" ${stroke(5)}/>`;
const flame =
  shape(
    "M0 50C-40 46 -44 8 -24 -14C-22 0 -14 2 -10 -4C-16 -26 -4 -44 12 -58C8 -36 38 -22 36 14C35 36 20 50 0 50Z",
    "#ff7b00",
  ) + flat("M2 42C-20 40 -22 16 -8 4C-6 14 2 12 4 0C18 10 24 40 2 42Z", "#ffe45e");
const note =
  shape("M-6 24V-40L34 -50V14", "none", 9) +
  `<ellipse cx="-18" cy="26" rx="15" ry="11" fill="#fff" ${stroke()}/><ellipse cx="22" cy="16" rx="15" ry="11" fill="#fff" ${stroke()}/>`;
const bolt = shape("M10 -56L-28 8H-4L-14 54L30 -12H4L22 -56Z", "#ffe600");
const bang = (fill: string): string =>
  `${shape("M-13 -54H13L7 12H-7Z", fill, 7)}<circle cy="36" r="11" fill="${fill}" ${stroke(7)}/>`;
const question = `${line("M-20 -26C-18 -46 22 -48 22 -22C22 -4 0 -4 0 16", ink, 28)}${line("M-20 -26C-18 -46 22 -48 22 -22C22 -4 0 -4 0 16", "#ffd43b", 14)}<circle cy="42" r="11" fill="#ffd43b" ${stroke(7)}/>`;
const tick = `<circle r="40" fill="#2fbf5b" ${stroke()}/>${line("M-18 2L-4 16L20 -14", "#fff", 12)}`;

export type DecorName =
  | "hearts"
  | "sparkles"
  | "lightning"
  | "confetti"
  | "flowers"
  | "zzz"
  | "bang"
  | "sweat"
  | "flames"
  | "tears"
  | "tick"
  | "notes"
  | "question"
  | "dash"
  | "tear";

type Place = { shape: HeadShape; random: () => number };
/** Draws one decoration, most of it beside the head and touching it, so that a sticker stays one piece. */
const decors: Record<DecorName, (place: Place) => string> = {
  hearts: ({ shape: h, random }) =>
    at(h.right + 22, h.top * 0.62, 1.25, 14, heart()) +
    at(h.left - 16, -40, 0.9, -18, heart("#ff6f91")) +
    at(h.right + 40, 40 + 20 * random(), 0.75, 10, heart("#ff9eb5")),
  sparkles: ({ shape: h }) =>
    at(h.right + 26, h.top * 0.55, 1.1, 8, sparkle()) +
    at(h.left - 22, h.top * 0.3, 0.85, -10, sparkle("#ffd43b")) +
    at(h.right + 52, 10, 0.6, 0, sparkle("#ffd43b")),
  lightning: ({ shape: h }) =>
    at(h.left - 28, h.top * 0.45, 1.15, -14, bolt) + at(h.right + 28, h.top * 0.45, 1.15, 14, bolt),
  confetti: ({ shape: h, random }) => {
    const colours = ["#ff4d6d", "#ffd43b", "#4dabf7", "#51cf66", "#cc5de8", "#ff922b"];
    const bits: string[] = [];
    for (let i = 0; i < 18; i++) {
      const angle = Math.PI * (1.02 + 0.96 * ((i + 0.5) / 18));
      const reach = 1.1 + 0.28 * random();
      const x = Math.cos(angle) * (h.right - h.left) * 0.5 * reach * 1.1;
      const y = 20 + Math.sin(angle) * (20 - h.top) * reach;
      const colour = colours[i % colours.length]!;
      const piece =
        i % 3 === 0
          ? `<circle r="13" fill="${colour}" ${stroke(5)}/>`
          : i % 3 === 1
            ? shape("M-18 -9H18V9H-18Z", colour, 5)
            : shape("M-17 12L0 -17L17 12Z", colour, 5);
      bits.push(at(x, y, 1, 360 * random(), piece));
    }
    return bits.join("");
  },
  flowers: ({ shape: h }) =>
    at(h.left - 6, 150, 1.2, -12, flower("#ff8fab")) +
    at(h.right + 8, 160, 1.1, 20, flower("#fff")) +
    at(h.right + 24, 80, 0.8, 40, flower("#c8a2ff")),
  zzz: ({ shape: h }) =>
    at(h.right + 10, h.top * 0.5, 0.8, -8, zed(0.8)) +
    at(h.right + 58, h.top * 0.72, 1.05, 4, zed(1.05)) +
    at(h.right + 100, h.top * 1.02, 1.35, 12, zed(1.35)),
  bang: ({ shape: h }) =>
    at(h.right + 34, h.top * 0.5, 1.25, 16, bang("#ff3d3d")) + at(h.left - 34, h.top * 0.5, 1.25, -16, bang("#ffd43b")),
  sweat: ({ shape: h }) => at(h.right - 8, -70, 1.1, 14, drop()) + at(h.right + 30, -6, 0.7, 26, drop()),
  flames: ({ shape: h }) =>
    at(h.left - 12, 90, 1.5, -12, flame) +
    at(h.right + 12, 90, 1.5, 12, flame) +
    at(h.left - 30, -20, 1.05, -16, flame) +
    at(h.right + 30, -20, 1.05, 16, flame),
  tears: () => at(-96, 40, 0.95, 42, drop("#8fe0ff")) + at(96, 40, 0.95, -42, drop("#8fe0ff")),
  tear: () => at(62, 58, 0.7, 0, drop("#8fe0ff")),
  tick: ({ shape: h }) => at(h.right + 26, h.top * 0.4, 1.3, 8, tick),
  notes: ({ shape: h }) =>
    at(h.right + 34, h.top * 0.5, 1.15, 10, note) + at(h.left - 30, h.top * 0.28, 0.95, -14, note),
  question: ({ shape: h }) => at(h.right + 36, h.top * 0.55, 1.35, 14, question),
  dash: ({ shape: h }) =>
    [-80, 0, 80, 160]
      .map(
        (y, i) =>
          line(`M${h.left - 20} ${y}H${h.left - 96 - (i % 2) * 34}`, ink, 22) +
          line(`M${h.left - 20} ${y}H${h.left - 96 - (i % 2) * 34}`, "#fff", 10),
      )
      .join(""),
};

/** Decorations by name, the same ones for the same seed. */
export function drawDecor(names: readonly DecorName[], head: HeadShape, seed: number): string {
  const random = randomFrom(seed);
  return names.map((name) => decors[name]({ shape: head, random })).join("");
}

/** The round backdrop: its middle and radius. */
export const badge = { y: 90, radius: 300 };

/** Large shapes behind the person. */
export function drawBackdrop(kind: string, colour: string, seed: number): string {
  const random = randomFrom(seed);
  const rays = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const a = (i / count) * 2 * Math.PI + 0.1;
      const b = a + Math.PI / count;
      return `M0 0L${round(400 * Math.cos(a))} ${round(400 * Math.sin(a))}L${round(400 * Math.cos(b))} ${round(400 * Math.sin(b))}Z`;
    }).join("");
  if (kind === "badge" || kind === "space") {
    const stars = Array.from({ length: 22 }, () => {
      const [turn, far] = [2 * Math.PI * random(), 60 + 210 * random()];
      return `<circle cx="${round(far * Math.cos(turn))}" cy="${round(far * Math.sin(turn))}" r="${round(3 + 5 * random())}" fill="#fff" opacity=".9"/>`;
    });
    const inside = kind === "badge" ? flat(rays(14), "#fff", 0.26) : stars.join("");
    return `<g transform="translate(0 ${badge.y})"><clipPath id="badge"><circle r="${badge.radius}"/></clipPath><circle r="${badge.radius}" fill="${colour}"/><g clip-path="url(#badge)">${inside}<circle r="${badge.radius - 16}" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="9"/></g><circle r="${badge.radius}" fill="none" ${stroke(8)}/></g>`;
  }
  if (kind === "burst") {
    const outer = 330 + 10 * random();
    return `<g transform="translate(0 50)">${shape(starPath(18, outer, 262), colour, 8)}${flat(starPath(18, outer - 50, 222), "#fff", 0.28)}</g>`;
  }
  if (kind === "heart")
    return at(
      0,
      80,
      7.6,
      0,
      `<path d="${heartPath}" fill="${colour}" stroke="${ink}" stroke-width="1.1"/><path d="M-27 -22C-34 -14 -33 -2 -26 8" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="3" stroke-linecap="round"/>`,
    );
  if (kind === "cloud")
    return `<g transform="translate(0 40)">${shape("M-190 190C-290 190 -310 70 -230 40C-280 -60 -180 -150 -100 -110C-70 -220 90 -230 130 -130C220 -170 300 -70 250 10C330 60 290 190 190 190Z", colour, 8)}${flat("M-150 150C-220 150 -240 90 -190 60C-200 100 -180 130 -150 150Z", "#fff", 0.3)}</g>`;
  if (kind === "splat")
    return `<g transform="translate(0 60) rotate(${round(40 * random())})">${shape(splat(random), colour, 8)}</g>`;
  return "";
}

/** A blot of paint with round arms. */
function splat(random: () => number): string {
  const count = 11;
  const parts: string[] = [];
  const point = (radius: number, angle: number) =>
    `${round(radius * Math.cos(angle))} ${round(radius * Math.sin(angle))}`;
  for (let i = 0; i < count; i++) {
    const a = (i / count) * 2 * Math.PI;
    const step = (2 * Math.PI) / count;
    const tip = 300 + 45 * random();
    if (i === 0) parts.push(`M${point(225, a)}`);
    parts.push(`C${point(250, a + step * 0.3)} ${point(tip, a + step * 0.1)} ${point(tip, a + step * 0.5)}`);
    parts.push(`C${point(tip, a + step * 0.9)} ${point(250, a + step * 0.7)} ${point(225, a + step)}`);
  }
  return `${parts.join("")}Z`;
}
