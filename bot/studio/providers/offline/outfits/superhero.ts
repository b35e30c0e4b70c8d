import { at, body, flat, ink, line, type Outfit, pick, shape, star, stroke } from "./parts.ts";

const teams = [
  ["#2f6bff", "#1a3fa8", "#ff3348", "#ffd43b"],
  ["#e02540", "#8f1327", "#ffc928", "#ffffff"],
  ["#3a3f58", "#22253a", "#ffd000", "#ffd000"],
  ["#18a558", "#0c6b38", "#8a2be2", "#ffe066"],
] as const;

const eyeHole = (x: number): string =>
  `M${x - 32} -2C${x - 20} -24 ${x + 20} -24 ${x + 32} -2C${x + 20} 20 ${x - 20} 20 ${x - 32} -2Z`;

const mask = (colour: string, light: string, pointed: boolean): string => {
  const outline = pointed
    ? "M-128 -62C-84 -58 -40 -52 0 -36C40 -52 84 -58 128 -62C126 -12 104 40 58 40C34 40 14 24 0 16C-14 24 -34 40 -58 40C-104 40 -126 -12 -128 -62Z"
    : "M-122 -24C-108 -56 -50 -58 0 -34C50 -58 108 -56 122 -24C122 16 92 40 58 40C30 40 14 22 0 20C-14 22 -30 40 -58 40C-92 40 -122 16 -122 -24Z";
  return (
    `<path d="${outline}${eyeHole(-50)}${eyeHole(50)}" fill="${colour}" fill-rule="evenodd" ${stroke()}/>` +
    flat("M-108 -36C-88 -46 -54 -44 -28 -34C-54 -36 -84 -30 -100 -18Z", light, 0.55)
  );
};

const emblem = (kind: number, colour: string): string => {
  const plate = shape("M-62 -34H62L76 -4L0 62L-76 -4Z", colour, 7);
  if (kind === 0) return plate + at(0, 2, 0.85, 0, star("#fff"));
  if (kind === 1) return plate + shape("M12 -30L-26 8H-4L-12 44L28 0H6L20 -30Z", "#fff", 5);
  return (
    plate +
    at(
      0,
      4,
      0.8,
      0,
      shape("M0 34C-46 4 -38 -34 -14 -34C-4 -34 0 -26 0 -20C0 -26 4 -34 14 -34C38 -34 46 4 0 34Z", "#fff"),
    )
  );
};

export const superhero: Outfit = (head, variant) => {
  const [suit, shade, cape, accent] = pick(teams, variant);
  const wind = variant % 2 ? 1 : -1;
  const reach = Math.max(head.right, 170);
  return {
    behind:
      shape(
        `M-120 210C-${reach + 60} 210 -${reach + 120} ${300 - 60 * wind} -${reach + 110} 400C-120 420 120 420 ${reach + 110} 400C${reach + 120} ${300 + 60 * wind} ${reach + 60} 210 120 210Z`,
        cape,
        7,
      ) +
      line(
        `M-${reach + 20} 270C-${reach + 50} 320 -${reach + 40} 360 -${reach + 50} 394M${reach + 20} 270C${reach + 50} 320 ${reach + 40} 360 ${reach + 50} 394`,
        ink,
        5,
      ),
    front:
      body(suit, shade) +
      shape(
        "M-70 192C-112 204 -150 220 -176 246C-130 262 -90 272 -58 258C-40 250 -20 244 0 244C20 244 40 250 58 258C90 272 130 262 176 246C150 220 112 204 70 192C46 226 -46 226 -70 192Z",
        cape,
        6,
      ) +
      at(0, 318, 1.05, 0, emblem(variant % 3, accent === "#ffffff" ? "#ffc928" : accent)) +
      mask(pick([cape, suit, "#22253a"], variant), "#fff", variant % 2 === 0),
  };
};
