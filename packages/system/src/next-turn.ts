// Returns to the event loop of the host runtime. A timer is not enough: timers that are due run one after the other,
// and sockets are not read in between.

/** Resolves once the event loop has read the arrived input; on a runtime without `setImmediate`, after a timer of 0 ms. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => {
    if (setImmediate === undefined) setTimeout(resolve, 0);
    else setImmediate(resolve);
  });
}
