/** Sheets stored as middling JPEGs: ringing is no sticker, and a dark outline is no background. */
import { expect, test } from "bun:test";
import sharp from "sharp";
import { cutSheet, matteSheet } from "../bot/studio/cutter/cutter.ts";
import { draw } from "./cutter/sheets.ts";

const SIDE_PX = 682;
const CELL_PX = SIDE_PX / 2;
const KEYS = { green: "#00ff00", blue: "#0000ff" };
const COLOURS = ["#f2b28c", "#ffccee", "#ffffff", "#aa66ff"];
/** Nearer to the key than this (RGB, Euclidean) a pixel is key-coloured. */
const KEY_NEAR = 110;
/** Enough of a pixel to be seen. */
const SEEN_ALPHA = 60;
/** A hole in what is all figure. */
const HOLE_ALPHA = 128;
/** Of all pixels well inside the figures this share may be holes, too few and scattered to see; a dotted outline has twice that. */
const MAX_HOLES = 0.0005;

/** Four heads and shoulders in a dark outline, each with a loose yellow triangle. */
const figures = COLOURS.map((colour, i) => {
  const [x, y] = [(i % 2) * CELL_PX + 20, Math.floor(i / 2) * CELL_PX + 20];
  return (
    `<g transform="translate(${x} ${y})" stroke="#222" stroke-width="6"><circle cx="150" cy="110" r="80" fill="${colour}"/>` +
    `<path d="M40 300Q150 150 260 300Z" fill="#345"/><path d="M230 40l20-30 15 35z" fill="#fc3" stroke="none"/></g>`
  );
}).join("");

/** Whether a pixel and all its neighbours up to `reach` have the given alpha in the drawing. */
function allAround(truth: Uint8Array, at: number, reach: number, alpha: number): boolean {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++)
      if ((truth[(at + dy * SIDE_PX + dx) * 4 + 3] ?? alpha) !== alpha) return false;
  return true;
}

const distance = (rgba: Uint8Array, at: number, [r, g, b]: [number, number, number]) =>
  Math.hypot(rgba[at]! - r, rgba[at + 1]! - g, rgba[at + 2]! - b);

const truth = await draw(figures, SIDE_PX, null).ensureAlpha().raw().toBuffer();

for (const [name, key] of Object.entries(KEYS)) {
  const rgb: [number, number, number] = name === "green" ? [0, 255, 0] : [0, 0, 255];
  for (const quality of [75, 80, 85]) {
    for (const chromaSubsampling of ["4:2:0", "4:4:4"]) {
      test(`${name}, quality ${quality}, ${chromaSubsampling}: no specks, no holes`, async () => {
        const sheet = await draw(figures, SIDE_PX, key).flatten().jpeg({ quality, chromaSubsampling }).toBuffer();
        const { rgba, stickers, problems } = await matteSheet(sheet);
        expect(problems).toEqual([]);
        expect(stickers).toHaveLength(COLOURS.length);
        let [specks, holes, inside] = [0, 0, 0];
        for (let at = 0; at < SIDE_PX * SIDE_PX; at++) {
          const alpha = rgba[at * 4 + 3]!;
          if (alpha > SEEN_ALPHA && allAround(truth, at, 2, 0)) specks++;
          if (!allAround(truth, at, 1, 255)) continue;
          inside++;
          if (alpha < HOLE_ALPHA) holes++;
        }
        expect(specks).toBe(0);
        expect(holes).toBeLessThan(inside * MAX_HOLES);
      });
    }
  }
  test(`${name}: no sticker shows the key`, async () => {
    const sheet = await draw(figures, SIDE_PX, key).flatten().jpeg({ quality: 80 }).toBuffer();
    for (const { bytes } of (await cutSheet(sheet)).stickers) {
      const rgba = await sharp(bytes).ensureAlpha().raw().toBuffer();
      let shown = 0;
      for (let at = 0; at < rgba.length; at += 4)
        if (rgba[at + 3]! > SEEN_ALPHA && distance(rgba, at, rgb) < KEY_NEAR) shown++;
      expect(shown).toBe(0);
    }
  });
}
