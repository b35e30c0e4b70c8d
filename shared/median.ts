/** The one median of the product: every "usually" that a guest, an operator or a salesperson reads comes from here. */

/** The middle value, or the mean of the two middle ones; null without any. The values are left as they are. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const [below, above] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((below as number) + (above as number)) / 2;
}
