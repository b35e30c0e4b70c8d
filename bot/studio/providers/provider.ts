/**
 * What the studio asks of an artist, and in which classes an answer may come.
 *
 * A provider makes one call and says plainly how it ended. It never retries, waits, stores or picks
 * another provider: that is the studio's work, in one place for all of them.
 */
import type { ProviderName } from "../../../shared/config.ts";
import { retakeProblems } from "../../../shared/outcomes.ts";
import type { Lang } from "../../../shared/status.ts";

/** Why a selfie cannot be used; `none` when it can. */
export const selfieProblems = ["none", ...retakeProblems] as const;
export type SelfieProblem = (typeof selfieProblems)[number];
export type SelfieVerdict = { usable: boolean; faces: number; problem: SelfieProblem };

export const sheetProblems = ["none", "wrong_count", "cropped", "distorted", "text_garbage", "other"] as const;
export type SheetProblem = (typeof sheetProblems)[number];
/** `cell` counts from 1, left to right, top to bottom. */
export type SheetVerdict = {
  usable: boolean;
  problem: SheetProblem;
  stickers: { cell: number; emoji: string[] }[];
};

export type Rgb = { r: number; g: number; b: number };

/** Everything needed to draw one sheet. */
export type SheetOrder = {
  /** The guest's selfie as stored: upright JPEG without metadata. */
  selfie: Uint8Array;
  /** The outfit: its stable id (what the offline artist goes by) and its wording for a model. */
  outfit: { id: string; prompt: string };
  /** How many stickers: 4, 6, 9, 12 or 16, on the grid that `gridOf` names. */
  count: number;
  /** The flat background colour, chosen against the selfie and the outfit. */
  key: Rgb;
  /** The language of captions. */
  lang: Lang;
  /** Makes a redraw differ from the draw before it; 0 for the first. */
  attempt: number;
};

/** What a call used, for the bill; `usd` is computed from `prices.ts`, not by the provider. */
export type Spent = { inputTokens: number; outputTokens: number; images: number };

/**
 * How a call ended:
 * - `ok`
 * - `refused`: the provider will not do this for anyone; tell the guest, do not loop
 * - `empty`: an answer without what was asked for; worth one more try
 * - `overloaded`: 429, 5xx, timeout, reset, unreadable; pause, then the next provider
 * - `broken`: key, model or request is wrong; alert operators, use the next provider
 */
export type Outcome = "ok" | "refused" | "empty" | "overloaded" | "broken";

export type Reply<T> = { model: string; spent: Spent } & (
  | { outcome: "ok"; value: T }
  | { outcome: Exclude<Outcome, "ok">; reason: string; retryAfterMs?: number }
);

export interface Provider {
  readonly name: ProviderName;
  /** Is this a usable photo of one person? */
  checkSelfie(selfie: Uint8Array, signal: AbortSignal): Promise<Reply<SelfieVerdict>>;
  /** One sheet, as the bytes of a PNG, JPEG or WebP: sniff them, the provider did not. */
  drawSheet(order: SheetOrder, signal: AbortSignal): Promise<Reply<Uint8Array>>;
  /** Are all stickers there and whole, and which emoji suits each? */
  checkSheet(sheet: Uint8Array, count: number, signal: AbortSignal): Promise<Reply<SheetVerdict>>;
}

/** Columns and rows of a sheet of `count` stickers. */
export function gridOf(count: number): { columns: number; rows: number } {
  const grids: Record<number, { columns: number; rows: number }> = {
    4: { columns: 2, rows: 2 },
    6: { columns: 3, rows: 2 },
    9: { columns: 3, rows: 3 },
    12: { columns: 4, rows: 3 },
    16: { columns: 4, rows: 4 },
  };
  const grid = grids[count];
  if (!grid) throw new RangeError(`a sheet holds 4, 6, 9, 12 or 16 stickers, not ${count}`);
  return grid;
}
