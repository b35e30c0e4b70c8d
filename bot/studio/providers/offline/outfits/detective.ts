import { at, bandOf, body, button, flat, ink, line, type Outfit, pick, shape, stroke } from "./parts.ts";

const coats = [
  ["#c49a6c", "#8a6339", "#4a3524"],
  ["#7d8597", "#4f5666", "#2b2d42"],
  ["#5b6b4a", "#3b4730", "#2c3524"],
] as const;

const magnifier = (turn: number): string =>
  `<g transform="rotate(${turn})">${line("M0 66V168", ink, 34)}${line("M0 72V164", "#8a5a34", 20)}<circle r="62" fill="#bfeaff" fill-opacity=".42" stroke="#ffc928" stroke-width="15"/><circle r="71" fill="none" ${stroke(6)}/><circle r="54" fill="none" ${stroke(5)}/></g>${flat("M-40 -8C-36 -32 -18 -44 2 -44C-14 -34 -24 -20 -26 -2Z", "#fff", 0.85)}`;

const moustache = shape(
  "M0 92C-14 78 -44 84 -58 104C-66 114 -82 114 -88 104C-90 128 -60 138 -36 126C-20 120 -8 112 0 106C8 112 20 120 36 126C60 138 90 128 88 104C82 114 66 114 58 104C44 84 14 78 0 92Z",
  "#3a2618",
  5,
);

export const detective: Outfit = (head, variant) => {
  const { middle, half } = bandOf(head);
  const [coat, shade, band] = pick(coats, variant);
  const wide = half / 130;
  const hat =
    shape(
      "M-122 -112C-126 -190 -104 -252 -56 -250C-30 -250 -16 -232 0 -232C16 -232 30 -250 56 -250C104 -252 126 -190 122 -112Z",
      coat,
      7,
    ) +
    flat("M122 -114C126 -190 104 -250 60 -249C80 -220 84 -160 70 -112Z", shade, 0.6) +
    line("M0 -232C-4 -214 -4 -200 0 -186", ink, 5) +
    shape("M-126 -158C-60 -138 60 -138 126 -158L128 -112C60 -92 -60 -92 -128 -112Z", band, 6) +
    shape(
      "M-212 -106C-150 -136 -70 -116 0 -116C70 -116 150 -136 212 -106C186 -66 84 -66 0 -66C-84 -66 -186 -66 -212 -106Z",
      coat,
      7,
    ) +
    flat("M196 -102C150 -80 80 -78 10 -78C90 -86 150 -90 196 -102Z", shade, 0.6);
  const onEye = variant % 3 === 1;
  return {
    behind: "",
    hat: { middle, half, brim: -108 },
    extent: { top: -252 },
    front:
      body(coat, shade) +
      shape("M-40 216C-18 238 18 238 40 216L30 330L0 352L-30 330Z", "#fff", 6) +
      shape("M-14 238H14L22 316L0 346L-22 316Z", pick(["#c92a2a", "#1c7ed6", "#2b8a3e"], variant), 5) +
      shape("M-72 182C-110 180 -136 206 -150 244L-96 262L-110 290L-20 398C-24 340 -40 270 -46 226Z", coat, 6) +
      shape("M72 182C110 180 136 206 150 244L96 262L110 290L20 398C24 340 40 270 46 226Z", coat, 6) +
      line("M0 356V402", ink, 5) +
      button(-44, 372, band, 9) +
      button(44, 372, band, 9) +
      (variant % 4 === 2 ? moustache : "") +
      (onEye
        ? at(50, 4, 1, 0, magnifier(-32))
        : variant % 3 === 0
          ? at(196, 210, 1, 0, magnifier(14))
          : at(
              -190,
              300,
              0.9,
              0,
              `${shape("M-70 -56H70V70H-70Z", "#fff8e1", 6)}${line("M-46 -30H46M-46 -4H46M-46 22H10", "#9a8c78", 8)}${shape("M14 26C30 12 58 20 58 42C58 62 30 66 18 52C6 40 6 34 14 26Z", "#e03131", 4)}`,
            )) +
      `<g transform="translate(${middle} 0) rotate(${variant % 2 ? 4 : -4} 0 -90) scale(${wide} 1)">${hat}</g>`,
  };
};
