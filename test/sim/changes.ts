/** Counts changes and wakes those who wait for the next one. */
export class Changes {
  count = 0;
  private readonly listeners = new Set<() => void>();

  tell(): void {
    this.count += 1;
    for (const listener of [...this.listeners]) listener();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  next(seen: number, timeoutMs: number): Promise<void> {
    if (this.count !== seen) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      const stop = this.listen(done);
    });
  }
}
