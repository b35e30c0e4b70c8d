import { at, bandOf, body, button, flat, ink, line, type Outfit, pick, shape, stroke } from "./parts.ts";

const scarves = ["#ff4d4d", "#2fbf5b", "#ff9f1c", "#4dabf7"];

const props = [
  // A wooden spoon, a whisk, a slice of pizza, a cupcake.
  `${line("M0 120V0", ink, 26)}${line("M0 120V0", "#c98d4b", 14)}<ellipse cy="-36" rx="34" ry="46" fill="#dba463" ${stroke()}/><ellipse cx="-4" cy="-38" rx="16" ry="26" fill="#b9783a" opacity=".6"/>`,
  `${line("M0 120V30", ink, 28)}${line("M0 120V30", "#5c6784", 16)}${line("M0 30C-60 -20 -40 -90 0 -92C40 -90 60 -20 0 30M0 30C-24 -20 -18 -84 0 -92C18 -84 24 -20 0 30", ink, 13)}${line("M0 30C-60 -20 -40 -90 0 -92C40 -90 60 -20 0 30M0 30C-24 -20 -18 -84 0 -92C18 -84 24 -20 0 30", "#dfe6f0", 6)}`,
  `${shape("M-70 -60C-24 -84 24 -84 70 -60L0 96Z", "#ffcf4d", 7)}${shape("M-82 -62C-30 -96 30 -96 82 -62C84 -46 76 -40 66 -46C24 -66 -24 -66 -66 -46C-76 -40 -84 -46 -82 -62Z", "#d98a3d")}<circle cx="-20" cy="-24" r="16" fill="#e03131" ${stroke(4)}/><circle cx="24" cy="-12" r="15" fill="#e03131" ${stroke(4)}/><circle cx="0" cy="34" r="13" fill="#e03131" ${stroke(4)}/>${flat("M-4 -48C6 -58 16 -50 10 -42C4 -38 -4 -40 -4 -48ZM2 4C12 -2 18 6 12 12C6 14 2 10 2 4Z", "#37b24d")}`,
  `${shape("M-52 10H52L38 86H-38Z", "#ff8fab", 7)}${line("M-24 16L-18 82M0 16V82M24 16L18 82", ink, 4)}${shape("M-66 12C-84 -22 -50 -38 -40 -34C-40 -72 40 -72 40 -34C50 -38 84 -22 66 12C40 24 -40 24 -66 12Z", "#fff3e0", 7)}<circle cy="-66" r="16" fill="#e03131" ${stroke(5)}/>`,
];

export const chef: Outfit = (head, variant) => {
  const { middle, half } = bandOf(head);
  const scarf = pick(scarves, variant);
  const wide = half / 130;
  const hat =
    shape(
      "M-126 -150C-210 -170 -206 -280 -112 -272C-104 -340 10 -352 36 -300C90 -344 186 -300 156 -236C206 -214 186 -152 126 -150Z",
      "#ffffff",
      7,
    ) +
    flat("M126 -152C180 -158 186 -214 150 -232C176 -296 96 -330 52 -300C120 -296 96 -210 112 -152Z", "#cfd8e6", 0.75) +
    line(
      "M-62 -160C-66 -190 -74 -210 -90 -226M4 -160C4 -196 10 -216 26 -236M70 -160C72 -186 80 -200 92 -212",
      "#b8c4d6",
      7,
    ) +
    shape("M-130 -158C-60 -138 60 -138 130 -158L124 -92C60 -70 -60 -70 -124 -92Z", "#ffffff", 7) +
    flat("M126 -152L122 -94C104 -88 88 -84 70 -82L76 -146C96 -148 112 -150 126 -152Z", "#cfd8e6", 0.75);
  return {
    behind: at(206, 250, 1.1, 16, pick(props, variant)),
    hat: { middle, half, brim: -118 },
    extent: { top: -335, left: -190, right: 190 },
    front:
      body("#ffffff", "#c5d0e0") +
      line("M-30 262C-44 310 -46 350 -46 398", ink, 5) +
      [-78, 6].map((x) => [300, 340, 380].map((y) => button(x + 16, y, scarf, 10)).join("")).join("") +
      shape(
        "M-84 190C-96 214 -92 232 -76 242C-40 262 40 262 76 242C92 232 96 214 84 190C52 226 -52 226 -84 190Z",
        scarf,
        6,
      ) +
      shape("M-6 246C-34 262 -46 290 -42 312C-22 306 -8 288 0 268C8 288 22 306 42 312C46 290 34 262 6 246Z", scarf, 6) +
      `<ellipse cy="252" rx="20" ry="16" fill="${scarf}" ${stroke()}/>` +
      `<g transform="translate(${middle} 0) rotate(${variant % 2 ? 4 : -4} 0 -90) scale(${wide} 1)">${hat}</g>`,
  };
};
