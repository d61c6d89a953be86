// The type of one end of a channel; it names no runtime. The `MessagePort` and the `Worker` of node:worker_threads have this
// type, in Node, Bun and Deno.

export interface ChannelEnd {
  /** Sends a copy of the message. The buffers in `transfer` are moved without a copy; the sender can no longer use them. */
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /**
   * Events: `message`; `messageerror` for a message that cannot be read; at the end of the channel, `error` and `exit` of a
   * worker, or `close` of a port. What arrives before the first listener is not lost.
   */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the channel. Absent on a `Worker`, which only the thread itself ends. */
  close?(): void;
  /** The channel keeps the process up after `ref`, and no longer after `unref`. */
  ref?(): void;
  unref?(): void;
}
