/**
 * Figures for the ground truth: people with hair strands, glasses, arms that leave a hole, soft collars,
 * and words and hearts that float beside them. A figure is a list of shapes, so that its white border is
 * the same shapes again, fatter and white.
 */
import type { Random } from "./random.ts";

export type Rgb = { r: number; g: number; b: number };
export const css = ({ r, g, b }: Rgb) => `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`;

/** One shape in figure units (a figure is about 100 tall), with its paint. */
type Shape = { tag: string; fill: string; stroke: string; width: number; blur?: number };

const SKINS: Rgb[] = [
  { r: 255, g: 219, b: 172 },
  { r: 224, g: 172, b: 105 },
  { r: 141, g: 85, b: 36 },
  { r: 198, g: 134, b: 66 },
];
const HAIRS: Rgb[] = [
  { r: 35, g: 18, b: 11 },
  { r: 61, g: 35, b: 20 },
  { r: 181, g: 101, b: 29 },
  { r: 230, g: 206, b: 140 },
  { r: 150, g: 150, b: 155 },
  { r: 214, g: 84, b: 120 },
];
const CLOTHES: Rgb[] = [
  { r: 192, g: 57, b: 43 },
  { r: 41, g: 98, b: 180 },
  { r: 245, g: 245, b: 240 },
  { r: 30, g: 30, b: 36 },
  { r: 241, g: 196, b: 15 },
  { r: 120, g: 60, b: 160 },
  { r: 60, g: 140, b: 90 },
  { r: 235, g: 120, b: 40 },
];

/** Letters as strokes on a 4 × 6 field. */
const LETTERS: Record<string, string> = {
  H: "M0 0V6M4 0V6M0 3H4",
  I: "M2 0V6",
  O: "M2 0C-.7 0-.7 6 2 6S4.7 0 2 0Z",
  W: "M0 0L1 6L2 2L3 6L4 0",
  L: "M0 0V6H4",
  Y: "M0 0L2 3L4 0M2 3V6",
  A: "M0 6L2 0L4 6M.9 4H3.1",
  E: "M4 0H0V6H4M0 3H3",
};
const WORDS = ["HI", "WOW", "HEY", "LOL", "YAY", "HELLO"];

export type FigureOptions = { key: Rgb; closeToKey: boolean; text: boolean; hearts: boolean };
export type Figure = {
  /** SVG of the figure alone, centred at 0, 0. */
  svg(scale: number, border: number): string;
  /** How far the body reaches to either side of its middle, in figure units; floats not counted. */
  left: number;
  right: number;
};

export function makeFigure(random: Random, options: FigureOptions): Figure {
  const shapes: Shape[] = [];
  const add = (tag: string, fill: string, stroke = "none", width = 0, blur = 0) =>
    shapes.push({ tag, fill, stroke, width, blur });
  const skin = css(random.pick(SKINS));
  const hair = css(random.pick(HAIRS));
  const clothes = css(options.closeToKey ? besideKey(random, options.key) : random.pick(CLOTHES));
  const ink = "rgb(40,26,24)";

  // Arms first, behind the body: akimbo arms enclose a hole on either side.
  const akimbo = random.chance(0.5);
  const reach = [25, 25];
  for (const side of [-1, 1]) {
    if (akimbo) {
      add(`d="M${side * 19} 12Q${side * 44} 26 ${side * 18} 43"`, "none", clothes, 7);
      reach[(side + 1) / 2] = 35;
    } else if (random.chance(0.5)) {
      add(`d="M${side * 19} 13Q${side * 34} 6 ${side * 38} ${random.between(-20, -5)}"`, "none", clothes, 8);
      reach[(side + 1) / 2] = 42;
    }
  }
  if (random.chance(0.4)) add(`d="M-24 50Q-28 6 0 6Q28 6 24 50Z"`, clothes, ink, 1.6);
  else add(`d="M-24 50Q-28 6 0 6Q28 6 24 50Z"`, clothes);
  // A collar of fur: an edge that is soft over several pixels.
  if (random.chance(0.35)) add(`d="M-17 11Q0 22 17 11"`, "none", css(random.pick(CLOTHES)), 8, 0.7);
  hairOf(random, hair, add);
  add(`d="M0 -2V10"`, "none", skin, 11);
  add(`d="M-17 -18A17 19 0 1 1 17 -18A17 20 0 1 1 -17 -18Z"`, skin);
  add(`d="M-17 -20Q-14 -40 0 -39Q15 -40 17 -20Q8 -32 -4 -31Q-12 -30 -17 -20Z"`, hair);
  add(`d="M-8 -17a2 2.6 0 1 0 .01 0Z"`, ink);
  add(`d="M8 -17a2 2.6 0 1 0 .01 0Z"`, ink);
  add(`d="M-6 -6Q0 ${random.between(-4, 2)} 6 -6"`, "none", "rgb(170,50,50)", 1.8);
  if (random.chance(0.4)) {
    add(`d="M-12 -15a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M2 -15a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M-2 -15H2"`, "none", ink, 1.3);
    // Side arms that stick out of the face: thin dark lines over the key.
    add(`d="M12 -15L21 -18M-12 -15L-21 -18"`, "none", ink, 1.1);
  }
  if (random.chance(0.3)) add(`d="M-20 -33L0 -48L20 -33Z"`, css(random.pick(CLOTHES)), ink, 1.2);
  floatsOf(random, options, add);

  return {
    left: reach[0]!,
    right: reach[1]!,
    svg: (scale, border) => {
      const draw = (white: boolean) => shapes.map((shape) => paint(shape, white ? border / scale : 0, white)).join("");
      return `<g transform="scale(${scale})" stroke-linecap="round" stroke-linejoin="round">${border > 0 ? draw(true) : ""}${draw(false)}</g>`;
    },
  };
}

type Add = (tag: string, fill: string, stroke?: string, width?: number, blur?: number) => void;

function hairOf(random: Random, hair: string, add: Add): void {
  const length = random.between(-12, 12);
  add(`d="M-19 ${length}Q-26 -42 0 -42Q26 -42 19 ${length}Q0 ${length - 6} -19 ${length}Z"`, hair);
  if (!random.chance(0.6)) return;
  // Strands: from one to three pixels wide at full size, some thinner than a pixel at the end.
  for (let i = 0; i < 14; i++) {
    const turn = random.between(Math.PI * 0.95, Math.PI * 2.05);
    const [x, y] = [Math.cos(turn) * 18, -20 + Math.sin(turn) * 19];
    const reach = random.between(5, 12);
    const bend = random.between(-0.5, 0.5);
    const [ex, ey] = [x + Math.cos(turn + bend) * reach, y + Math.sin(turn + bend) * reach];
    add(
      `d="M${x} ${y}Q${x + Math.cos(turn) * reach * 0.6} ${y + Math.sin(turn) * reach * 0.6} ${ex} ${ey}"`,
      "none",
      hair,
      random.between(0.35, 0.8),
    );
  }
}

function floatsOf(random: Random, options: FigureOptions, add: Add): void {
  const paint = css(random.pick(CLOTHES.slice(0, 2).concat(CLOTHES.slice(4))));
  if (options.hearts) {
    for (let i = random.integer(1, 2); i > 0; i--) {
      const [x, y, size] = [
        random.pick([-1, 1]) * random.between(29, 36),
        random.between(-38, -22),
        random.between(0.7, 1.2),
      ];
      add(
        `transform="translate(${x} ${y}) scale(${size})" d="M0 6C-10 -2 -5 -9 0 -4C5 -9 10 -2 0 6Z"`,
        "rgb(230,40,80)",
      );
    }
  }
  if (!options.text) return;
  const word = random.pick(WORDS);
  const width = word.length * 6 - 2;
  const size = Math.min(1.4, 60 / width);
  [...word].forEach((letter, i) => {
    add(
      `transform="translate(${(i * 6 - width / 2) * size} 54.5) scale(${size})" d="${LETTERS[letter]}"`,
      "none",
      paint,
      1.5,
    );
  });
}

function paint({ tag, fill, stroke, width, blur }: Shape, border: number, white: boolean): string {
  const scale = Number(/scale\(([\d.]+)\)/.exec(tag)?.[1] ?? 1);
  const filled = fill !== "none";
  if (white) {
    const fat = (stroke === "none" ? 0 : width) + (2 * border) / scale;
    return `<path ${tag} fill="${filled ? "#fff" : "none"}" stroke="#fff" stroke-width="${fat}"/>`;
  }
  const soft = blur ? ` filter="url(#soft)"` : "";
  return `<path ${tag} fill="${fill}" stroke="${stroke}" stroke-width="${width}"${soft}/>`;
}

/** Clothes that a careless threshold takes for the key, yet an eye does not. */
function besideKey(random: Random, key: Rgb): Rgb {
  const toward = (value: number) => (value > 127 ? value - random.between(45, 90) : value + random.between(40, 80));
  return { r: toward(key.r), g: toward(key.g), b: toward(key.b) };
}
