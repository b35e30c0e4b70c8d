/** The festive robe and the embroidered skullcap of Uzbekistan. */
import { at, bandOf, bodyPath, flat, ink, line, type Outfit, pick, shape, stroke } from "./parts.ts";

const robes = [
  ["#1f6fd6", "#ffd43b", "#e8344e", "#ffffff"],
  ["#c81d4e", "#ffd43b", "#1fae8a", "#ffffff"],
  ["#0f9d76", "#ffe066", "#8e2de2", "#ffffff"],
  ["#6d2ac7", "#ffb703", "#20c3d0", "#ffffff"],
] as const;

/** The almond of the doʻppi, embroidered in white. */
const almond = (scale: number, x: number, y: number, turn: number): string =>
  at(
    x,
    y,
    scale,
    turn,
    `${line("M0 34C-34 24 -34 -18 0 -26C22 -30 34 -12 22 0C12 8 0 2 2 -8", "#fff", 9)}${flat("M-6 20C-18 12 -18 -4 -6 -10C-8 2 -6 12 -6 20Z", "#fff")}`,
  );

const doppi =
  shape("M-126 -112L-112 -206C-60 -238 60 -238 112 -206L126 -112C60 -84 -60 -84 -126 -112Z", "#1c1a26", 7) +
  flat("M112 -206L126 -112C110 -104 92 -98 74 -94L72 -222Z", "#fff", 0.07) +
  line("M0 -230V-94", "#3b3850", 5) +
  almond(1, -60, -164, -8) +
  `<g transform="scale(-1 1)">${almond(1, -60, -164, -8)}</g>` +
  line("M-114 -126C-60 -102 60 -102 114 -126", "#fff", 5) +
  [-90, -60, -30, 0, 30, 60, 90]
    .map((x) => `<circle cx="${x}" cy="${-99 - (x * x) / 700}" r="5" fill="#fff"/>`)
    .join("");

/** Ikat: tall lozenges with soft, stepped edges. */
const ikat = (x: number, y: number, outer: string, inner: string, core: string): string =>
  at(
    x,
    y,
    1,
    0,
    flat(
      "M0 -66L10 -44L18 -40L20 -16L30 0L20 16L18 40L10 44L0 66L-10 44L-18 40L-20 16L-30 0L-20 -16L-18 -40L-10 -44Z",
      outer,
    ) +
      flat("M0 -42L8 -24L16 0L8 24L0 42L-8 24L-16 0L-8 -24Z", inner) +
      flat("M0 -20L7 0L0 20L-7 0Z", core),
  );

const props = [
  // A teapot, a bowl of tea, flat bread, a pomegranate: what a guest is met with.
  `${line("M52 -6C84 -20 86 -44 104 -48", ink, 22)}${line("M52 -6C84 -20 86 -44 104 -48", "#1f4fbf", 10)}${line("M-56 -30C-104 -36 -104 36 -52 34", ink, 20)}${line("M-56 -30C-104 -36 -104 36 -52 34", "#fff", 9)}${shape("M-62 -6C-62 -50 -30 -60 0 -60C30 -60 62 -50 62 -6C62 40 34 58 0 58C-34 58 -62 40 -62 -6Z", "#1f4fbf", 7)}${flat("M0 -34L12 -8L38 0L12 8L0 34L-12 8L-38 0L-12 -8Z", "#fff")}<circle r="9" fill="#ffd43b"/><ellipse cy="-62" rx="34" ry="10" fill="#fff" ${stroke()}/><circle cy="-78" r="10" fill="#ffd43b" ${stroke(5)}/>`,
  `${line("M-22 -66C-34 -84 -10 -92 -22 -112M14 -66C2 -84 26 -92 14 -112", ink, 16)}${line("M-22 -66C-34 -84 -10 -92 -22 -112M14 -66C2 -84 26 -92 14 -112", "#fff", 7)}${shape("M-66 -44H66C66 10 36 44 0 44C-36 44 -66 10 -66 -44Z", "#fff", 7)}<ellipse cy="-44" rx="66" ry="15" fill="#b5651d" ${stroke()}/>${flat("M0 -18L9 2L28 8L9 14L0 34L-9 14L-28 8L-9 2Z", "#1f4fbf")}${shape("M-26 44H26L20 58H-20Z", "#1f4fbf")}`,
  `<circle r="72" fill="#e0a458" ${stroke(7)}/><circle r="46" fill="#f3c988" ${stroke(5)}/>${[0, 60, 120, 180, 240, 300].map((t) => `<circle cx="0" cy="-24" r="5" fill="#a8692a" transform="rotate(${t})"/>`).join("")}<circle r="6" fill="#a8692a"/>${[20, 80, 140, 200, 260, 320].map((t) => `<ellipse cy="-59" rx="4" ry="7" fill="#fff3d6" transform="rotate(${t})"/>`).join("")}`,
  `${shape("M0 -58L-18 -86L-6 -78L0 -92L6 -78L18 -86Z", "#a4133c")}${shape("M0 -62C44 -62 66 -30 66 2C66 42 36 62 0 62C-36 62 -66 42 -66 2C-66 -30 -44 -62 0 -62Z", "#d7263d", 7)}${flat("M-8 -22C20 -40 46 -10 34 16C24 38 -12 36 -20 14C-26 -2 -20 -14 -8 -22Z", "#ffd9df")}${[
    [0, -6],
    [16, 0],
    [2, 12],
    [18, 18],
    [-8, 4],
  ]
    .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="7" fill="#a4133c"/>`)
    .join("")}`,
];

export const chopon: Outfit = (head, variant) => {
  const { middle, half } = bandOf(head);
  const [cloth, gold, red, white] = pick(robes, variant);
  const rows: string[] = [];
  for (let x = -200; x <= 200; x += 57)
    for (let y = 250; y <= 420; y += 132)
      rows.push(
        ikat(
          x,
          y + ((x + 200) % 114 ? 66 : 0),
          (x + 200) % 114 ? gold : white,
          (x + 200) % 114 ? red : cloth,
          (x + 200) % 114 ? white : gold,
        ),
      );
  return {
    behind: at(214, 300, 0.95, 8, pick(props, variant)),
    hat: { middle, half, brim: -124 },
    extent: { top: -232 },
    front:
      `<clipPath id="robe"><path d="${bodyPath}"/></clipPath><path d="${bodyPath}" fill="${cloth}"/><g clip-path="url(#robe)">${rows.join("")}</g><path d="${bodyPath}" fill="none" ${stroke(7)}/>` +
      shape("M-48 214C-20 238 20 238 48 214L40 320L0 356L-40 320Z", "#ffffff", 6) +
      line("M0 250V340", "#cdd6e3", 5) +
      shape("M-78 188C-94 196 -100 206 -102 218L-26 372L6 360L-24 312C-44 280 -50 236 -50 222Z", gold, 6) +
      shape("M78 188C94 196 100 206 102 218L26 372L-6 360L24 312C44 280 50 236 50 222Z", gold, 6) +
      [0, 1, 2, 3]
        .map(
          (i) =>
            at(-74 + i * 20, 232 + i * 36, 0.2, 26, flat("M0 -30L22 0L0 30L-22 0Z", red)) +
            at(74 - i * 20, 232 + i * 36, 0.2, -26, flat("M0 -30L22 0L0 30L-22 0Z", red)),
        )
        .join("") +
      shape("M-218 362C-110 388 110 388 218 362L220 392C110 408 -110 408 -220 392Z", red, 6) +
      line("M-190 378C-100 396 100 396 190 378", gold, 5) +
      `<g transform="translate(${middle} 0) rotate(${variant % 2 ? 5 : -5} 0 -100) scale(${Math.max(0.95, half / 134)} 1)">${doppi}</g>`,
  };
};
