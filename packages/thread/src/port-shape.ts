// The shape of one end of a channel, without a runtime by name. The `MessagePort` and the `Worker` of
// node:worker_threads have it, in Node, Bun and Deno alike.

export interface PortShape {
  /** Sends a copy; the buffers in `transfer` are moved without a copy, and are detached here. */
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /**
   * Events: `message`, and the end: `error` and `exit` of a worker, `close` of a port, `messageerror` for a message that
   * cannot be read. Nothing that comes before the first listener is lost.
   */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the channel from this end. A worker lacks it: it ends from its own side. */
  close?(): void;
  /** Whether the process is to stay up for it. */
  ref?(): void;
  unref?(): void;
}
