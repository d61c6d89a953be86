// What a host holds in its hands: the calls of the specification, and what shuts down without losing one (spec, client
// library §2 and §4).

import type {
  AliasInput,
  BatchOptions,
  CallKind,
  CallRefused,
  GroupInput,
  IdentifyInput,
  PageInput,
  ScreenInput,
  TrackInput,
} from "@postrider/core/batch";
import type { Clock, Random } from "@postrider/core";
import type { Result } from "neverthrow";
import type { Flushed } from "./create-call-tracker.js";
import type { OutcomeCallbacks } from "./create-outcomes.js";
import type { Logger } from "./logger.js";
import type { FailedCall, Outcome } from "./outcome.js";
import type { Transport } from "./transport.js";

export interface ClientOptions extends BatchOptions, OutcomeCallbacks {
  /** Whether batches are zipped; not if absent. */
  readonly gzip?: boolean | undefined;
  /** What sends requests; the runtime's `fetch` if absent. */
  readonly transport?: Transport | undefined;
  /** The runtime's own if absent, with timers that do not keep a process up. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Told of each call that is queued, with its JSON text, before anything is sent. It must not throw. */
  readonly onQueued?:
    ((call: { readonly messageId: string; readonly type: CallKind; readonly json: string }) => void) | undefined;
  /** If absent, the console where the environment has `DEBUG=analytics`. */
  readonly logger?: Logger | undefined;
}

export interface Queued {
  readonly messageId: string;
}

/** A call that was queued, or why it was not. Nobody has to look at it. */
export type CallResult = Result<Queued, CallRefused>;

export interface CloseReport {
  /** What was not delivered of that which was held when `close` was called, oldest first. */
  readonly undelivered: readonly FailedCall[];
}

export interface Client {
  /** Ties a user to traits. */
  identify(call: IdentifyInput): CallResult;
  /** Records an action. */
  track(call: TrackInput): CallResult;
  /** Records a page view. */
  page(call: PageInput): CallResult;
  /** Records a screen view. */
  screen(call: ScreenInput): CallResult;
  /** Associates a user with a group. */
  group(call: GroupInput): CallResult;
  /** Links one identity to another. */
  alias(call: AliasInput): CallResult;
  /**
   * Sends what is queued, and resolves once every call that was made before has come to its end, retries included, or
   * after `timeoutMs`, if given. Never rejects.
   */
  flush(limit?: { readonly timeoutMs: number }): Promise<Flushed>;
  /** With `whenFull: "wait"`: resolves as soon as there is room for a call. Otherwise at once. Never rejects. */
  ready(): Promise<void>;
  /** How each call ends, from now on until the client is closed. */
  outcomes(): AsyncIterableIterator<Outcome>;
  /**
   * Takes no further calls, sends what is left, and waits for it, retries included, for `closeTimeoutMs` at most. Any
   * further `close` answers the same. Never rejects.
   */
  close(): Promise<CloseReport>;
  /** Closes it at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
