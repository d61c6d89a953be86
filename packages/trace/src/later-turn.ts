// Runs a task in a later turn of the event loop, after all promises that are under way. Tasks run in their order, and the
// promises of one settle before the next runs. Reads no clock.

declare const setImmediate: (task: () => void) => unknown;

/** Runs the task in a later turn of the event loop. */
export function inLaterTurn(task: () => void): void {
  setImmediate(task);
}

/** Resolves in a later turn of the event loop. */
export function afterPromises(): Promise<void> {
  return new Promise(inLaterTurn);
}
