// One turn of the event loop, without a timer: what is ready to happen has happened after it. Knows no clock.

/** Resolves in a later turn of the event loop. */
export function passLoopTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.once("message", () => {
      port1.close();
      resolve();
    });
    port2.postMessage(undefined);
  });
}
