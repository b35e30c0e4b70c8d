/** Bounds on how much happens at once and how often. Held in memory: a restart forgives, which is fine for these. */

/** At most `limit` runs of heavy work at once; the rest wait their turn. */
export function gate(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

const MAX_CALLERS = 10_000;

/** A sliding window: `limit` events per `windowMs` for each caller. */
export function rateLimit(limit: number, windowMs: number) {
  const seen = new Map<string, number[]>();
  return {
    /** @returns 0 when the event may happen, or the seconds until the next one may */
    take(caller: string, now: number): number {
      const recent = (seen.get(caller) ?? []).filter((at) => at > now - windowMs && at <= now);
      // Map order is insertion order: setting anew keeps the callers who were quiet longest in front.
      seen.delete(caller);
      seen.set(caller, recent);
      if (seen.size > MAX_CALLERS) seen.delete(seen.keys().next().value as string);
      if (recent.length >= limit) return Math.max(1, Math.ceil(((recent[0] as number) + windowMs - now) / 1000));
      recent.push(now);
      return 0;
    },
  };
}
