// Waits until the promises under way are settled. A simulation waits for nothing else between two timers, so most waits end with
// the queue of microtasks, without a turn of the event loop. Must not know what the promises are for.

/** The part of Node's `process` that is used. A task runs once the queue of microtasks is empty. */
declare const process: { readonly nextTick?: (task: () => void) => void } | undefined;
declare const setImmediate: (task: () => void) => unknown;

/** After this many waits, one takes a turn of the event loop, so that other work of the program is not held up. */
const WAITS_PER_TURN = 64;

/** A way to wait for a clock that moves on request; undefined on a runtime without such tasks. */
export function createSettle(): (() => Promise<void>) | undefined {
  if (typeof process === "undefined" || process.nextTick === undefined) return undefined;
  const { nextTick } = process;
  let waits = 0;
  return () => {
    waits += 1;
    const start = waits % WAITS_PER_TURN === 0 ? setImmediate : nextTick;
    return new Promise((resolve) => {
      start(resolve);
    });
  };
}
