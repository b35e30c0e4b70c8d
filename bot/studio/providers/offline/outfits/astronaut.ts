import { at, body, button, flat, line, type Outfit, pick, shape, star, stroke } from "./parts.ts";

const suits = [
  ["#f4f6fb", "#b9c3d6", "#ff7a1a"],
  ["#ff8a2b", "#d4610c", "#ffffff"],
  ["#5aa9ff", "#2f74c9", "#ffd43b"],
] as const;
const skies = ["#1b2a6b", "#43217a", "#0f4a63"];

export const astronaut: Outfit = (head, variant) => {
  const [suit, shade, accent] = pick(suits, variant);
  const rx = Math.max(head.right, -head.left, 150) + 34;
  const top = Math.min(head.top, -150) - 34;
  const cy = (top + 236) / 2;
  const ry = 236 - cy;
  const x = (share: number) => share * rx;
  const y = (share: number) => cy + share * ry;
  const glass = `<ellipse cx="0" cy="${cy}" rx="${rx}" ry="${ry}"`;
  const dots = [
    [-0.8, -0.3, 4],
    [-0.62, -0.66, 6],
    [0.7, -0.58, 5],
    [0.86, -0.1, 4],
    [0.5, -0.78, 3],
    [-0.3, -0.9, 4],
    [-0.88, 0.2, 5],
    [0.84, 0.3, 4],
  ] as const;
  return {
    extent: { top, left: -rx, right: rx },
    behind:
      shape(`M${x(1)} ${y(-0.1)}h26v70h-26ZM${x(-1)} ${y(-0.1)}h-26v70h26Z`, shade) +
      line(`M${x(0.86)} ${y(-0.5)}L${x(1.02)} ${y(-0.92)}`, "#2b1b34", 9) +
      `<circle cx="${x(1.02)}" cy="${y(-0.92)}" r="15" fill="#ff4d4d" ${stroke()}/>` +
      `${glass} fill="${suit}" ${stroke(44)}/>${glass} fill="${pick(skies, variant)}" stroke="${suit}" stroke-width="30"/>` +
      dots.map(([u, v, r]) => `<circle cx="${x(u)}" cy="${y(v)}" r="${r}" fill="#fff" opacity=".9"/>`).join(""),
    front:
      // The glass: light on the left, and the ring that holds it.
      flat(
        `M${x(-0.9)} ${y(0.1)}C${x(-0.94)} ${y(-0.4)} ${x(-0.6)} ${y(-0.86)} ${x(-0.2)} ${y(-0.93)}C${x(-0.55)} ${y(-0.72)} ${x(-0.76)} ${y(-0.3)} ${x(-0.76)} ${y(0.1)}Z`,
        "#fff",
        0.5,
      ) +
      flat(
        `M${x(0.86)} ${y(0.3)}C${x(0.8)} ${y(0.5)} ${x(0.72)} ${y(0.64)} ${x(0.6)} ${y(0.74)}C${x(0.7)} ${y(0.58)} ${x(0.76)} ${y(0.44)} ${x(0.79)} ${y(0.3)}Z`,
        "#fff",
        0.5,
      ) +
      body(suit, shade) +
      shape("M-150 214C-80 262 80 262 150 214L158 250C90 300 -90 300 -158 250Z", "#cfd6e4", 7) +
      line("M-146 232C-76 276 76 276 146 232", "#fff", 8) +
      [-96, -34, 34, 96].map((bx) => button(bx, 266 - Math.abs(bx) * 0.14, accent, 8)).join("") +
      at(
        -104,
        346,
        0.95,
        -6,
        `<circle r="40" fill="#223a8f" ${stroke()}/>${flat("M-24 12C-8 -22 14 -26 24 -20C20 -2 2 16 -24 12Z", "#fff")}<ellipse rx="34" ry="12" transform="rotate(-24)" fill="none" stroke="${accent}" stroke-width="5"/>`,
      ) +
      at(108, 340, 0.8, 8, star(accent)) +
      shape("M-36 330H36V392H-36Z", "#e3e8f2", 6) +
      button(-18, 350, "#ff4d4d", 7) +
      button(2, 350, "#ffd43b", 7) +
      button(22, 350, "#51cf66", 7) +
      line("M-22 374H22", "#2b1b34", 6),
  };
};
