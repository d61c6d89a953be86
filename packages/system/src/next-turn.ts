// A return to the event loop of the host runtime. A timer is none: when it is due by then, one follows the other without a
// look at the sockets in between.

/** Resolves once the loop has looked at what has arrived; on a runtime without `setImmediate`, at a timer of 0. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => {
    if (setImmediate === undefined) setTimeout(resolve, 0);
    else setImmediate(resolve);
  });
}
