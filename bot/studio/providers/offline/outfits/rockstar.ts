import { at, body, button, flat, ink, line, type Outfit, pick, shape, star, starPath, stroke } from "./parts.ts";

const guitars = [
  ["#ff2e4d", "#ffd43b"],
  ["#22c1c3", "#ffffff"],
  ["#9b5de5", "#fee440"],
  ["#ff8c1a", "#2b1b34"],
] as const;
const lenses = ["#1d1b2e", "#ff2e88", "#1c7ed6", "#f08c00"];

const guitar = (fill: string, plate: string): string =>
  line("M40 -20L250 -170", ink, 34) +
  line("M40 -20L250 -170", "#8a5a34", 22) +
  shape("M238 -192L296 -206L288 -150L262 -146Z", fill) +
  shape(
    "M60 -46C96 -30 92 10 62 22C70 66 20 110 -40 108C-112 106 -136 40 -104 -4C-86 -28 -58 -22 -40 -36C-24 -66 18 -78 60 -46Z",
    fill,
    7,
  ) +
  flat("M-20 -14C10 -36 40 -26 44 -8C30 14 -4 24 -30 46C-50 40 -44 4 -20 -14Z", plate) +
  `<circle cx="-8" cy="10" r="16" fill="${ink}"/>` +
  line("M-64 56L-36 84M-8 10L240 -166", "#fff", 4) +
  button(-74, 34, "#fff", 7) +
  button(-84, 58, "#fff", 7);

const glasses = (kind: number, lens: string): string => {
  const arms = line("M-86 -12L-128 -22M86 -12L128 -22", ink, 10);
  if (kind === 0)
    return (
      arms +
      line("M-14 -10C-6 -18 6 -18 14 -10", ink, 11) +
      [-52, 52]
        .map((x) =>
          at(
            x,
            2,
            1,
            0,
            `${shape(starPath(5, 62, 33), "#ffd43b", 7)}${flat(starPath(5, 44, 22), lens)}${flat("M-16 -14L-2 -18L-12 8Z", "#fff", 0.7)}`,
          ),
        )
        .join("")
    );
  if (kind === 1)
    return (
      arms +
      shape(
        "M-94 -26C-70 -34 -34 -34 -12 -24C-6 -22 6 -22 12 -24C34 -34 70 -34 94 -26C98 20 80 42 54 42C26 42 14 16 10 0C4 -6 -4 -6 -10 0C-14 16 -26 42 -54 42C-80 42 -98 20 -94 -26Z",
        lens,
        8,
      ) +
      flat("M-82 -16L-56 -20L-72 16ZM26 -18L50 -22L34 12Z", "#fff", 0.75)
    );
  return (
    arms +
    line("M-12 -2C-6 -10 6 -10 12 -2", ink, 10) +
    [-52, 52]
      .map(
        (x) =>
          `<circle cx="${x}" cy="2" r="42" fill="${lens}" fill-opacity=".88" stroke="#ffd43b" stroke-width="9"/><circle cx="${x}" cy="2" r="47" fill="none" ${stroke(5)}/>${flat(`M${x - 26} -6C${x - 20} -22 ${x - 6} -28 ${x + 6} -28C${x - 8} -18 ${x - 14} -8 ${x - 16} 8Z`, "#fff", 0.75)}`,
      )
      .join("")
  );
};

export const rockstar: Outfit = (head, variant) => {
  const [fill, plate] = pick(guitars, variant);
  const band = variant % 3 === 2;
  const half = Math.max(118, Math.min(170, (head.right - head.left) / 2));
  return {
    behind: "",
    front:
      body("#2e2b3f", "#14121f") +
      shape("M-40 226C-20 240 20 240 40 226L60 400H-60Z", "#f8f9fa", 6) +
      at(0, 320, 0.9, 0, star(fill)) +
      shape("M-72 190L-150 236L-120 300L-54 398L-40 300L-30 240Z", "#3b3752", 6) +
      shape("M72 190L150 236L120 300L54 398L40 300L30 240Z", "#3b3752", 6) +
      [-176, 176]
        .map((x) =>
          [280, 310, 340]
            .map((y) => `<path d="M${x - 9} ${y + 6}L${x} ${y - 10}L${x + 9} ${y + 6}Z" fill="#dfe6f0" ${stroke(3)}/>`)
            .join(""),
        )
        .join("") +
      (variant % 2 === 0 ? at(10, 350, 0.92, 0, guitar(fill, plate)) : "") +
      (band
        ? `${shape(`M${-half} -96C-60 -72 60 -72 ${half} -96L${half} -136C60 -110 -60 -110 ${-half} -136Z`, fill, 6)}${shape(`M${half - 6} -118L${half + 64} -90L${half + 40} -66L${half - 4} -104Z`, fill)}`
        : "") +
      glasses(variant % 3, pick(lenses, variant)),
  };
};
