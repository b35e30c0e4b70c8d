/** Waiting that a signal cuts short. */

/**
 * Waits for `work`, but no longer than the signal lets it, and leaves no listener there: signals outlive what is waited for.
 * @param otherwise gives, or throws, what it ends with then
 */
export async function unlessAborted<T>(work: Promise<T>, otherwise: () => T, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted.promise.then(otherwise)]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
