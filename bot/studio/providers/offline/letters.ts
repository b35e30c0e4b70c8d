/**
 * An alphabet of capital letters, drawn here as strokes of a round brush: Latin, Russian, and what Uzbek
 * adds. Captions need no font, so a sheet looks the same on every machine, one without fonts included.
 *
 * Each letter lies between y 0 (top) and 100 (base line); `w` is its width without the brush's own.
 */
type Letter = { w: number; d: string };

const ring = "M32 0C8 0 0 24 0 50C0 76 8 100 32 100C56 100 64 76 64 50C64 24 56 0 32 0Z";
const pe = "M0 100V0H58V100";
const ie = "M48 0H0V100H48M0 49H40";
const sha = "M0 0V100H84V0M42 0V100";

const letters: Record<string, Letter> = {
  A: { w: 68, d: "M0 100L34 0L68 100M13 66H55" },
  B: { w: 52, d: "M0 0V100H26A27 27 0 0 0 26 46H0M0 0H24A23 23 0 0 1 24 46" },
  C: { w: 56, d: "M56 22C48 4 40 0 32 0C8 0 0 24 0 50C0 76 8 100 32 100C40 100 48 96 56 78" },
  D: { w: 60, d: "M0 0V100H20C46 100 60 80 60 50C60 20 46 0 20 0Z" },
  E: { w: 48, d: ie },
  F: { w: 46, d: "M48 0H0V100M0 49H40" },
  G: { w: 60, d: "M58 22C50 4 42 0 32 0C8 0 0 24 0 50C0 76 8 100 32 100C46 100 56 92 60 80V54H36" },
  H: { w: 58, d: "M0 0V100M58 0V100M0 49H58" },
  I: { w: 2, d: "M1 0V100" },
  J: { w: 42, d: "M42 0V70C42 92 32 100 20 100C10 100 2 94 0 80" },
  K: { w: 54, d: "M0 0V100M52 0L4 54L54 100" },
  L: { w: 44, d: "M0 0V100H46" },
  M: { w: 76, d: "M0 100V0L38 62L76 0V100" },
  N: { w: 60, d: "M0 100V0L60 100V0" },
  O: { w: 64, d: ring },
  P: { w: 50, d: "M0 100V0H24A27 27 0 0 1 24 54H0" },
  Q: { w: 66, d: `${ring}M42 74L66 104` },
  R: { w: 52, d: "M0 100V0H24A26 26 0 0 1 24 52H0M24 52L52 100" },
  S: { w: 50, d: "M48 18C44 6 36 0 25 0C10 0 2 10 2 24C2 56 50 42 50 74C50 90 40 100 25 100C12 100 3 93 0 80" },
  T: { w: 60, d: "M0 0H60M30 0V100" },
  U: { w: 60, d: "M0 0V66C0 90 12 100 30 100C48 100 60 90 60 66V0" },
  V: { w: 66, d: "M0 0L33 100L66 0" },
  W: { w: 92, d: "M0 0L23 100L46 16L69 100L92 0" },
  X: { w: 60, d: "M0 0L60 100M60 0L0 100" },
  Y: { w: 62, d: "M0 0L31 50L62 0M31 50V100" },
  Z: { w: 54, d: "M0 0H54L0 100H56" },
  Б: { w: 52, d: "M46 0H0V100H25A28 28 0 0 0 25 44H0" },
  Г: { w: 44, d: "M46 0H0V100" },
  Д: { w: 74, d: "M0 116V98H74V116M12 98C24 70 24 40 24 0H60V98" },
  Ж: { w: 88, d: "M44 0V100M2 0L40 50L0 100M86 0L48 50L88 100" },
  З: {
    w: 50,
    d: "M2 16C8 4 16 0 25 0C40 0 48 10 48 23C48 38 38 46 20 46C40 46 50 56 50 74C50 90 40 100 24 100C12 100 3 94 0 82",
  },
  И: { w: 60, d: "M0 0V100L60 0V100" },
  Й: { w: 60, d: "M0 0V100L60 0V100M16 -30C20 -16 40 -16 44 -30" },
  Л: { w: 64, d: "M0 100C18 96 18 60 18 0H64V100" },
  П: { w: 58, d: pe },
  У: { w: 60, d: "M0 0L32 58M60 0L36 62C28 86 22 100 4 98" },
  Ф: { w: 78, d: "M39 -6V106M39 16C10 16 0 32 0 49C0 66 10 82 39 82C68 82 78 66 78 49C78 32 68 16 39 16Z" },
  Ц: { w: 68, d: "M0 0V100H66V118M56 0V100" },
  Ч: { w: 54, d: "M0 0V34C0 50 10 58 26 58H54M54 0V100" },
  Ш: { w: 84, d: sha },
  Щ: { w: 94, d: `${sha}M84 100H94V118` },
  Ъ: { w: 66, d: "M0 0H18V100H40A28 28 0 0 0 40 44H18" },
  Ы: { w: 78, d: "M0 0V100H22A28 28 0 0 0 22 44H0M78 0V100" },
  Ь: { w: 52, d: "M0 0V100H25A28 28 0 0 0 25 44H0" },
  Э: { w: 58, d: "M2 20C8 4 16 0 26 0C50 0 58 24 58 50C58 76 50 100 26 100C16 100 6 96 0 80M20 50H58" },
  Ю: { w: 88, d: "M0 0V100M0 50H32M60 0C40 0 32 24 32 50C32 76 40 100 60 100C80 100 88 76 88 50C88 24 80 0 60 0Z" },
  Я: { w: 52, d: "M52 100V0H28A26 26 0 0 0 28 52H52M28 52L0 100" },
  "!": { w: 4, d: "M2 0L2 62M2 99V100" },
  "?": { w: 46, d: "M0 18C4 6 12 0 23 0C38 0 46 10 46 24C46 44 22 44 22 66M22 99V100" },
  ".": { w: 2, d: "M1 99V100" },
  ",": { w: 6, d: "M4 98L0 114" },
  "-": { w: 30, d: "M0 52H30" },
  // The letters oʻ and gʻ of Uzbek: a turned comma, U+02BB; and the straight sign of words like maʼno, U+02BC.
  ʻ: { w: 2, d: "M4 2C-2 6 -2 14 -1 18" },
  ʼ: { w: 2, d: "M1 2C4 6 2 14 -1 18" },
  " ": { w: 24, d: "" },
};
/** Letters that look alike in both scripts are drawn once. */
const alike: Record<string, string> = {
  А: "A",
  В: "B",
  Е: "E",
  К: "K",
  М: "M",
  Н: "H",
  О: "O",
  Р: "P",
  С: "C",
  Т: "T",
  Х: "X",
  Ё: "E",
};
const dots = "M12 -26V-25M38 -26V-25";

/** The brush is this wide; letters stand this far apart, brush edge to brush edge. */
export const brush = 24;
const gap = 9;

/** Every character that can be drawn. */
export const drawable = (character: string): boolean =>
  character === "…" || (alike[character.toUpperCase()] ?? character.toUpperCase()) in letters;

export type Line = { width: number; letters: { x: number; w: number; d: string }[] };

/** Sets one line of text; characters that are not in the alphabet are left out. */
export function setLine(text: string): Line {
  const line: Line = { width: 0, letters: [] };
  for (const character of text.toUpperCase().replaceAll("…", "...")) {
    const letter = letters[alike[character] ?? character];
    if (!letter) continue;
    const d = character === "Ё" ? letter.d + dots : letter.d;
    if (line.width > 0) line.width += gap + brush;
    line.letters.push({ x: line.width, w: letter.w, d });
    line.width += letter.w;
  }
  return line;
}
