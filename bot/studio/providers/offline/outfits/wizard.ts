import { at, bandOf, body, flat, ink, line, type Outfit, pick, shape, sparkle, star, stroke } from "./parts.ts";

const cloths = [
  ["#4b3fc4", "#2c2485", "#ffd43b"],
  ["#1b6ca8", "#0e4269", "#ffe8a3"],
  ["#7b2cbf", "#4a1578", "#7dffcf"],
  ["#20706b", "#104541", "#ffc861"],
] as const;

export const wizard: Outfit = (head, variant) => {
  const { middle, half } = bandOf(head);
  const [cloth, shade, gold] = pick(cloths, variant);
  const wide = half / 130;
  const bend = variant % 2 ? 1 : -1;
  const moon = flat("M18 -26A30 30 0 1 0 18 26A22 22 0 1 1 18 -26Z", gold);
  const hat =
    shape(
      `M-128 -122C-96 -220 -70 -300 ${30 * bend} -392C${64 * bend} -410 ${92 * bend} -388 ${100 * bend} -360C${76 * bend} -372 ${58 * bend} -362 ${50 * bend} -340C82 -270 104 -200 128 -122Z`,
      cloth,
      7,
    ) +
    flat(`M128 -124C104 -200 84 -268 ${50 * bend} -338C${44 * bend} -300 40 -220 58 -124Z`, shade, 0.5) +
    at(-34, -206, 0.62, -12, star(gold)) +
    at(38, -254, 0.42, 14, star(gold)) +
    at(44, -184, 0.62, 0, moon) +
    shape("M-126 -152C-60 -132 60 -132 126 -152L132 -112C60 -88 -60 -88 -132 -112Z", gold, 6) +
    shape(
      "M-206 -112C-140 -140 -60 -120 0 -120C60 -120 140 -140 206 -112C170 -64 80 -70 0 -70C-80 -70 -170 -64 -206 -112Z",
      cloth,
      7,
    ) +
    flat("M190 -108C150 -82 80 -82 20 -82C90 -92 150 -96 190 -108Z", shade, 0.6);
  const staff = variant % 3 === 0;
  return {
    behind: staff
      ? `${line("M232 408L214 60", ink, 32)}${line("M232 408L214 60", "#8a5a34", 19)}${at(210, 24, 1.1, 0, `<circle r="52" fill="${gold}" opacity=".35"/><circle r="36" fill="#8ff0ff" ${stroke(7)}/>${flat("M-20 -12C-12 -24 0 -28 12 -24C0 -18 -8 -8 -12 4Z", "#fff", 0.9)}`)}`
      : `${line("M150 372L238 196", ink, 24)}${line("M150 372L238 196", "#6b4423", 13)}${line("M228 216L238 196", "#fff", 13)}${at(246, 172, 1.15, 10, sparkle(gold))}${at(206, 128, 0.55, 0, sparkle("#fff"))}`,
    hat: { middle, half, brim: -112 },
    extent: { top: -350 },
    front:
      body(cloth, shade) +
      shape(
        "M-74 190C-120 200 -168 224 -190 256C-130 300 -60 280 0 330C60 280 130 300 190 256C168 224 120 200 74 190C48 226 -48 226 -74 190Z",
        shade,
        6,
      ) +
      line("M-176 258C-126 286 -60 272 0 314C60 272 126 286 176 258", gold, 7) +
      at(-120, 344, 0.5, -10, star(gold)) +
      at(118, 350, 0.62, 12, star(gold)) +
      at(-60, 374, 0.34, 12, star(gold)) +
      at(64, 322, 0.34, 0, star(gold)) +
      at(
        0,
        318,
        0.8,
        0,
        `<circle r="26" fill="#8ff0ff" ${stroke(7)}/>${flat("M-14 -8C-8 -16 0 -18 6 -16C0 -12 -6 -6 -8 2Z", "#fff", 0.9)}`,
      ) +
      `<g transform="translate(${middle} 0) translate(0 -10) rotate(${4 * bend} 0 -90) scale(${wide} 0.88)">${hat}</g>`,
  };
};
