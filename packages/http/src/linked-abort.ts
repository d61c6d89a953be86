// An abort signal that follows others as long as it is needed. `AbortSignal.any` would keep what depends on a signal that lives
// as long as the process.

export interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** To be called at the end: the other signals are not followed any more. */
  readonly release: () => void;
}

/** Aborted once one of `others` is, or by `abort`. */
export function linkAbort(others: readonly AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const abort = (): void => own.abort();
  for (const other of others) {
    if (other.aborted) abort();
    other.addEventListener("abort", abort, { once: true });
  }
  return {
    signal: own.signal,
    abort,
    release: () => {
      for (const other of others) other.removeEventListener("abort", abort);
    },
  };
}
