/** Looks every few milliseconds until it is so. @returns whether it became so in time */
export async function within(limitMs: number, look: () => boolean): Promise<boolean> {
  const until = Date.now() + limitMs;
  while (!look()) {
    if (Date.now() > until) return false;
    await Bun.sleep(15);
  }
  return true;
}
