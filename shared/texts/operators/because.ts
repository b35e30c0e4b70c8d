/** A reason as part of a sentence that goes on after it. */

/** `: rain`, or nothing; what it ends with would stand before the sentence's own full stop. */
export function because(reason: string | null): string {
  const words = reason?.replace(/[\s.!?…]+$/u, "");
  return words ? `: ${words}` : "";
}
