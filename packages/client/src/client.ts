// The public interface of a client: the calls of the specification, and how to flush and close without losing a call (spec,
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
import type { FlushReport } from "./create-call-tracker.js";
import type { OutcomeCallbacks } from "./create-outcomes.js";
import type { ClientLogger } from "./logger.js";
import type { FailedCall, CallOutcome } from "./outcome.js";
import type { Transport } from "./transport.js";

/** The options of `createClient`. An absent option has the default that its comment names. */
export interface ClientOptions extends BatchOptions, OutcomeCallbacks {
  /** True if batches are gzipped; false if absent. */
  readonly gzip?: boolean | undefined;
  /** Sends the requests; the runtime's `fetch` if absent. */
  readonly transport?: Transport | undefined;
  /** If absent, the clock of the runtime, with timers that do not keep a process running. */
  readonly clock?: Clock | undefined;
  /** The randomness of message ids and of the jitter of retries; that of the runtime if absent. */
  readonly random?: Random | undefined;
  /** Called with each queued call and its JSON text, before the call can be sent. The callback must not throw. */
  readonly onQueued?:
    ((call: { readonly messageId: string; readonly type: CallKind; readonly json: string }) => void) | undefined;
  /** Gets the log entries. If absent, the console gets them if the environment has `DEBUG=analytics`. */
  readonly logger?: ClientLogger | undefined;
}

/** A call that the client has queued, with the messageId under which it is sent. */
interface QueuedCall {
  /** The given id, or a new one. A call that is repeated under it is accepted once within 24 hours. */
  readonly messageId: string;
}

/** The queued call, or why it was refused. A program may ignore this result. */
export type CallResult = ({ readonly kind: "ok" } & QueuedCall) | ({ readonly kind: "refused" } & CallRefused);

/** The answer of `close`, once no call is pending or its time limit has passed. */
export interface CloseReport {
  /** The calls that were pending at `close` and were not delivered, in the order in which they failed. */
  readonly undelivered: readonly FailedCall[];
}

/** Makes calls and sends them in batches in the background. No method throws or rejects. */
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
   * Sends the queued calls. Resolves once every call that was made before `flush` has ended, retries included, or after
   * `timeoutMs`, 10,000 if absent. Never rejects.
   */
  flush(limit?: { readonly timeoutMs?: number | undefined }): Promise<FlushReport>;
  /** With `whenFull: "wait"`: resolves as soon as the queue has room for a call. Without that option, resolves at once. */
  ready(): Promise<void>;
  /** The outcome of each call, from now on until the client is closed. */
  outcomes(): AsyncIterableIterator<CallOutcome>;
  /**
   * Refuses further calls, sends the queued calls, and waits for these, retries included, for `closeTimeoutMs` at most.
   * Further calls of `close` return the same promise. Never rejects.
   */
  close(): Promise<CloseReport>;
  /** Closes the client at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
