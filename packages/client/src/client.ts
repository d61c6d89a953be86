// The public interface of a client: the calls of the specification, and how to flush and close without losing one (spec,
// client library §2 and §4).

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
import type { ClientLogger } from "./logger.js";
import type { FailedCall, CallOutcome } from "./outcome.js";
import type { Transport } from "./transport.js";

export interface ClientOptions extends BatchOptions, OutcomeCallbacks {
  /** Whether batches are gzipped; false if absent. */
  readonly gzip?: boolean | undefined;
  /** Sends the requests; the runtime's `fetch` if absent. */
  readonly transport?: Transport | undefined;
  /** The runtime's own if absent, with timers that do not keep a process up. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Called with each queued call and its JSON text, before anything is sent. It must not throw. */
  readonly onQueued?:
    ((call: { readonly messageId: string; readonly type: CallKind; readonly json: string }) => void) | undefined;
  /** If absent, the console where the environment has `DEBUG=analytics`. */
  readonly logger?: ClientLogger | undefined;
}

export interface QueuedCall {
  readonly messageId: string;
}

/** The queued call, or why it was refused. It may be ignored. */
export type CallResult = Result<QueuedCall, CallRefused>;

export interface CloseReport {
  /** The calls that were pending at `close` and were not delivered, oldest first. */
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
   * Sends the queued calls, and resolves once every call made before has ended, retries included, or after `timeoutMs`,
   * if given. Never rejects.
   */
  flush(limit?: { readonly timeoutMs: number }): Promise<Flushed>;
  /** With `whenFull: "wait"`: resolves as soon as the queue has room for a call. Otherwise at once. Never rejects. */
  ready(): Promise<void>;
  /** The outcome of each call, from now on until the client is closed. */
  outcomes(): AsyncIterableIterator<CallOutcome>;
  /**
   * Refuses further calls, sends the queued ones, and waits for them, retries included, for `closeTimeoutMs` at most.
   * Further calls of `close` return the same promise. Never rejects.
   */
  close(): Promise<CloseReport>;
  /** Closes it at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
