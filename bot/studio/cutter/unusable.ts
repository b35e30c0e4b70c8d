/** Why a sheet cannot be cut at all. Anything less ends in `problems` beside the stickers. */
export const unusableCodes = [
  "empty_file",
  "not_an_image",
  "truncated",
  "animated",
  "too_small",
  "too_large",
  "no_key",
  "checkerboard",
  "no_stickers",
  "cutter_failed",
] as const;
export type UnusableCode = (typeof unusableCodes)[number];

/** The sheet gives no stickers: `code` for machines, `message` is a plain sentence for people. */
export class SheetUnusable extends Error {
  override readonly name = "SheetUnusable";
  constructor(
    readonly code: UnusableCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
