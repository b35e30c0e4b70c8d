/** The jobs that the artist's thread does, and how they and their results are put into messages. */
import type { SelfieVerdict, SheetOrder, SheetVerdict } from "../provider.ts";

export type Jobs = {
  checkSelfie: { input: { selfie: Uint8Array }; output: SelfieVerdict };
  drawSheet: { input: SheetOrder; output: Uint8Array };
  checkSheet: { input: { sheet: Uint8Array; count: number }; output: SheetVerdict };
};
export type JobName = keyof Jobs;
/** `stop` is one shared integer that turns 1 when nobody waits for the job any more. */
export type JobMessage = {
  [N in JobName]: { id: number; name: N; input: Jobs[N]["input"]; stop: SharedArrayBuffer };
}[JobName];
export type ResultMessage = { id: number; value: Jobs[JobName]["output"] } | { id: number; fault: string };
