// The type of one end of a message channel, without declarations of a runtime. The `MessagePort` and the `Worker` of
// node:worker_threads have this type, in Node, Bun and Deno.

/** The part of a worker or of a message port that is used. */
export interface ChannelEnd {
  /** Sends a copy of the message. The buffers in `transfer` are moved without a copy; the sender can no longer use them. */
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  /**
   * Adds a listener for an event. The events are `message`; `messageerror` for a message that cannot be read; and, when
   * the channel ends, `error` and `exit` of a worker, or `close` of a message port. Messages that arrive before the
   * first listener are kept for it.
   */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the channel. Absent on a `Worker`, whose channel ends with its thread. */
  close?(): void;
  /** After `ref` the open channel keeps the process running; after `unref` it does not. */
  ref?(): void;
  unref?(): void;
}
