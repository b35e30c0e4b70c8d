/** What both simulated providers share: defaults that a test may change, and reading of requests. */
import { createHash } from "node:crypto";
import type { FaultAction, ProviderOutcome } from "../faults.ts";
import type { Json, JsonObject } from "../types.ts";
import { asJpeg, countIn, goodSelfie, goodSheet, sheetPicture, transparentSheet } from "./pictures.ts";

export type Purpose = "image" | "selfie" | "sheet" | "text";

/** The models' usual answers. Set a field to change every later answer; use a fault for a few. */
export class Models {
  /** The verdict on selfies. */
  selfie: Json = goodSelfie;
  /** The verdict on sheets; by default all cells of the last sheet are fine. */
  sheet: Json | undefined;
  /** Bytes of the picture that image models give; by default one with the number asked for. */
  picture: Uint8Array | undefined;
  private lastCount = 9;

  /** Bytes and declared type of one sheet. */
  async draw(prompt: string, special: FaultAction | undefined, transparent = false) {
    if (special && "imageBase64" in special)
      return { bytes: new Uint8Array(Buffer.from(special.imageBase64, "base64")), mime: "image/png" };
    this.lastCount = countIn(prompt);
    const sheet = this.picture ?? (await sheetPicture(this.lastCount, /#[0-9a-f]{6}\b/i.exec(prompt)?.[0]));
    if (outcomeOf(special) === "wrong_mime") return { bytes: await asJpeg(sheet), mime: "image/png" };
    return { bytes: transparent && !this.picture ? await transparentSheet(sheet) : sheet, mime: "image/png" };
  }

  /** The text of a vision answer. */
  verdict(purpose: Purpose, special: FaultAction | undefined): string {
    if (special && "answer" in special) return JSON.stringify(special.answer);
    if (outcomeOf(special) === "bad_json") return '{"usable": tru';
    if (purpose === "selfie") return JSON.stringify(this.selfie);
    if (purpose === "sheet") return JSON.stringify(this.sheet ?? goodSheet(this.lastCount));
    return "Hello.";
  }
}

export function outcomeOf(special: FaultAction | undefined): ProviderOutcome | undefined {
  return special && "outcome" in special ? special.outcome : undefined;
}

/** What is asked for, judged by the fields of the JSON schema that the answer must have. */
export function purposeOf(schema: Json | undefined): Purpose {
  const text = JSON.stringify(schema ?? {});
  if (text.includes('"stickers"')) return "sheet";
  return text.includes('"faces"') ? "selfie" : "text";
}

/** Tells pictures apart in the log of calls, which does not keep them. */
export const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The `index`th key of a nested value, typed as JSON. */
export function dig(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as JsonObject)[step];
  }
  return found;
}
