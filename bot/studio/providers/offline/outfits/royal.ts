import { at, body, flat, heart, ink, line, type Outfit, pick, shape, star, stroke } from "./parts.ts";

const robes = [
  ["#d7263d", "#8f1327"],
  ["#6a3fc4", "#43227f"],
  ["#1f5fd0", "#123c88"],
] as const;
const jewels = ["#ff3d6e", "#38d9ff", "#6bea6b"];

const crown = (metal: string, light: string, jewel: string): string =>
  shape("M-108 22L-124 -78L-66 -36L0 -104L66 -36L124 -78L108 22C60 40 -60 40 -108 22Z", metal, 7) +
  flat("M-100 8L-112 -58L-66 -22L-50 -36L-58 28C-74 26 -88 22 -100 8Z", light, 0.75) +
  shape("M-110 6C-60 24 60 24 110 6L108 34C60 52 -60 52 -108 34Z", metal, 6) +
  [
    [-124, -82],
    [0, -110],
    [124, -82],
  ]
    .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="16" fill="${jewel}" ${stroke()}/>`)
    .join("") +
  `<ellipse cy="-20" rx="17" ry="21" fill="${jewel}" ${stroke()}/><ellipse cx="-5" cy="-28" rx="5" ry="7" fill="#fff" opacity=".8"/>` +
  [-72, 0, 72]
    .map((x) => `<circle cx="${x}" cy="${Math.abs(x) < 10 ? 33 : 27}" r="8" fill="#fff" ${stroke(4)}/>`)
    .join("");

const spot = (x: number, y: number, turn: number): string =>
  at(x, y, 1, turn, flat("M0 -12C9 2 7 12 0 16C-7 12 -9 2 0 -12Z", ink));

export const royal: Outfit = (head, variant) => {
  const [robe, shade] = pick(robes, variant);
  const jewel = pick(jewels, variant);
  const metal = variant % 4 === 3 ? (["#dfe6f0", "#ffffff"] as const) : (["#ffc928", "#fff0a3"] as const);
  const middle = (head.left + head.right) / 2;
  const wide = Math.max(0.95, Math.min(1.4, (head.right - head.left) / 262));
  const sceptre = variant % 2 === 0;
  return {
    extent: { top: Math.max(head.top, -240) - 80 },
    behind:
      shape("M-190 392C-270 300 -246 220 -170 206C-60 186 60 186 170 206C246 220 270 300 190 392Z", shade, 7) +
      (sceptre
        ? `${line("M232 404L206 150", ink, 30)}${line("M232 404L206 150", metal[0], 17)}${at(203, 128, 1.05, -6, `<circle r="34" fill="${jewel}" ${stroke()}/>${flat("M-18 -14C-10 -24 2 -26 10 -22C0 -18 -8 -10 -12 0Z", "#fff", 0.8)}`)}${at(201, 84, 0.75, -6, star(metal[0]))}`
        : ""),
    front:
      body(robe, shade) +
      shape("M-44 250C-20 262 20 262 44 250L36 400H-36Z", "#fff4d6", 6) +
      line("M0 262V398", metal[0], 8) +
      shape(
        "M-78 188C-130 196 -196 222 -216 262C-206 310 -120 330 -74 296C-46 276 -22 262 0 262C22 262 46 276 74 296C120 330 206 310 216 262C196 222 130 196 78 188C52 226 -52 226 -78 188Z",
        "#fff",
        7,
      ) +
      [
        [-164, 252, 30],
        [-112, 232, 20],
        [-120, 288, 34],
        [-64, 254, 20],
        [164, 252, -30],
        [112, 232, -20],
        [120, 288, -34],
        [64, 254, -20],
      ]
        .map(([x, y, t]) => spot(x!, y!, t!))
        .join("") +
      at(
        0,
        292,
        0.62,
        0,
        `<circle r="42" fill="${metal[0]}" ${stroke(9)}/>${at(0, 2, 0.7, 0, variant % 3 === 0 ? heart(jewel) : star(jewel))}`,
      ) +
      at(middle * 0.7, Math.max(head.top, -240) + 34, wide, variant % 2 ? -5 : 4, crown(metal[0], metal[1], jewel)),
  };
};
