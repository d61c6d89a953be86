// What is asked of an end of a channel: its shape, and no runtime by name. The `MessagePort` and the `Worker` of
// node:worker_threads have it, in Node, Bun and Deno alike.

export interface PortShape {
  /** Sends a copy; the buffers that are named go over as they are, and are gone here. */
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /**
   * Hears of `message`, and of the end: `error` and `exit` of a worker, `close` of a port, `messageerror` of something that
   * cannot be read. Nothing that comes before the first listener is lost.
   */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the channel from this side. A worker has no such thing: it ends from its own. */
  close?(): void;
  /** Whether the process is to stay up for it. */
  ref?(): void;
  unref?(): void;
}
