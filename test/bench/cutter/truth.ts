/** Sheets with exact truth: what each pixel's colour, cover and owner are before the key goes under it. */
import sharp from "sharp";
import { gridOf } from "../../../bot/studio/providers/provider.ts";
import { css, type Figure, makeFigure, type Rgb } from "./figure.ts";
import { type Random, seeded } from "./random.ts";

export type SheetSpec = {
  seed: number;
  count: number;
  side: number;
  bordered: boolean;
  key: Rgb;
  /** Neighbours pushed against each other: this many pairs. */
  touching?: number;
  uneven?: boolean;
  /** Cells left empty, and figures squeezed between the others. */
  empty?: number;
};

export type Truth = {
  spec: SheetSpec;
  width: number;
  height: number;
  /** Straight RGBA. */
  rgba: Uint8Array;
  /** Sticker number + 1 for each pixel. */
  owner: Uint8Array;
  /** The cells (from 1) that hold a sticker, in order; sticker n is `cells[n]`. */
  cells: number[];
  touches: boolean;
};

export async function makeTruth(spec: SheetSpec): Promise<Truth> {
  const random = seeded(spec.seed);
  const { side, count } = spec;
  const { columns, rows } = gridOf(count);
  const places = placesOf(random, spec, columns, rows);
  const bodies = places.map(({ figure, ...place }) => {
    return `<g transform="translate(${place.x} ${place.y})">${figure.svg(place.scale, spec.bordered ? place.scale * 2.2 : 0)}</g>`;
  });
  const rgba = await render(side, bodies.join(""));
  const owner = new Uint8Array(side * side);
  const strongest = new Uint8Array(side * side);
  for (const [number, body] of bodies.entries()) {
    const own = await render(side, body);
    for (let at = 0; at < owner.length; at++) {
      const alpha = own[at * 4 + 3]!;
      // Where two overlap the later one lies on top, as it was drawn.
      if (alpha > 0 && (alpha >= 128 || alpha > strongest[at]!)) {
        strongest[at] = alpha;
        owner[at] = number + 1;
      }
    }
  }
  return {
    spec,
    width: side,
    height: side,
    rgba,
    owner,
    cells: places.map(({ cell }) => cell),
    touches: (spec.touching ?? 0) > 0,
  };
}

type Place = { cell: number; x: number; y: number; scale: number; figure: Figure };

function placesOf(random: Random, spec: SheetSpec, columns: number, rows: number): Place[] {
  const { side } = spec;
  const [cellX, cellY] = [side / columns, side / rows];
  const cell = Math.min(cellX, cellY);
  const places: Place[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const scale = (cell / 100) * random.between(0.72, 0.8) * (spec.bordered ? 0.96 : 1);
      const drift = spec.uneven ? 0.09 : 0.02;
      places.push({
        cell: row * columns + column + 1,
        x: (column + 0.5 + random.between(-drift, drift)) * cellX,
        y: (row + 0.46 + random.between(-drift / 2, drift / 2)) * cellY,
        scale,
        figure: makeFigure(random, {
          key: spec.key,
          closeToKey: random.chance(0.25),
          text: random.chance(0.35),
          hearts: random.chance(0.4),
        }),
      });
    }
  }
  for (let pair = 0; pair < (spec.touching ?? 0); pair++)
    touch(places, pair % rows, random.integer(0, columns - 2), columns, random);
  for (let gone = 0; gone < (spec.empty ?? 0); gone++) places.splice(random.integer(0, places.length - 1), 1);
  return places;
}

/** Pushes two neighbours together until their bodies overlap by a little. */
function touch(places: Place[], row: number, column: number, columns: number, random: Random): void {
  const [left, right] = [places[row * columns + column]!, places[row * columns + column + 1]!];
  const gap = right.x - right.figure.left * right.scale - (left.x + left.figure.right * left.scale);
  const push = (gap + random.between(1, 3) * left.scale) / 2;
  left.x += push;
  right.x -= push;
}

async function render(side: number, body: string): Promise<Uint8Array> {
  const soft = `<filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="0.7"/></filter>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><defs>${soft}</defs>${body}</svg>`;
  const data = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
  return new Uint8Array(data.buffer, data.byteOffset, data.length);
}

/** A short name for tables: colour, count and what is special. */
export const keyName = (key: Rgb) => css(key).replace(/^rgb/, "");
