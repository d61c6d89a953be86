// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/client` exports.

import type { Clock, Random } from "@postrider/core";
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

export type CallOutcome =
  | ({
      readonly kind: "delivered";
    } & DeliveredCall)
  | ({
      readonly kind: "failed";
    } & FailedCall)
  | {
      readonly kind: "missed";
      readonly count: number;
    };

export type CallResult =
  | ({
      readonly kind: "ok";
    } & QueuedCall)
  | ({
      readonly kind: "refused";
    } & CallRefused);

export interface Client {
  identify(call: IdentifyInput): CallResult;
  track(call: TrackInput): CallResult;
  page(call: PageInput): CallResult;
  screen(call: ScreenInput): CallResult;
  group(call: GroupInput): CallResult;
  alias(call: AliasInput): CallResult;
  flush(limit?: { readonly timeoutMs?: number | undefined }): Promise<FlushReport>;
  ready(): Promise<void>;
  outcomes(): AsyncIterableIterator<CallOutcome>;
  close(): Promise<CloseReport>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClientLogEntry {
  readonly code: string;
  readonly calls?: number;
  readonly bytes?: number;
  readonly tries?: number;
  readonly detail?: string;
  readonly afterMs?: number;
}

export interface ClientLogger {
  log(level: ClientLogLevel, entry: ClientLogEntry): void;
}

export interface ClientOptions extends BatchOptions, OutcomeCallbacks {
  readonly gzip?: boolean | undefined;
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly onQueued?:
    ((call: { readonly messageId: string; readonly type: CallKind; readonly json: string }) => void) | undefined;
  readonly logger?: ClientLogger | undefined;
}

export interface CloseReport {
  readonly undelivered: readonly FailedCall[];
}

export interface DeliveredCall {
  readonly messageId: string;
  readonly type: CallKind;
}

export interface FailedCall {
  readonly messageId: string;
  readonly type: CallKind;
  readonly reason: FailReason;
  readonly code: string;
  readonly message: string;
  readonly json: string;
}

export interface FlushReport {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
}

export type Transport = (url: string, request: never) => Promise<TransportAnswer>;

export interface TransportAnswer {
  readonly status: number;
  readonly headers: {
    get(name: string): string | null;
  };
  readonly body?: {
    getReader(): AnswerReader;
  } | null;
  text?(): Promise<string>;
}

export interface TransportRequest {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly redirect: "manual";
  readonly keepalive?: boolean;
  readonly signal?: {
    readonly aborted: boolean;
    addEventListener(type: "abort", listener: () => void): void;
  };
}

export declare function createClient(writeKey: string, options: ClientOptions): Client;

// Not exported by name, but part of what is.

interface AnswerReader {
  read(): Promise<{
    readonly done: boolean;
    readonly value?: Uint8Array | undefined;
  }>;
  cancel(): Promise<unknown>;
}

type ClientLogLevel = "debug" | "warning" | "error";

type FailReason = "rejected" | "refused" | "retries-exhausted" | "closed" | "set-aside" | "not-queued";

interface OutcomeCallbacks {
  readonly onDelivered?: ((call: DeliveredCall) => unknown) | undefined;
  readonly onFailed?: ((call: FailedCall) => unknown) | undefined;
}

interface QueuedCall {
  readonly messageId: string;
}

export {};
