// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/core/batch` exports.

import type { EpochMs, KeptCall } from "@postrider/core";

export type AfterRefusal =
  | {
      readonly kind: "halve";
    }
  | {
      readonly kind: "later";
    }
  | {
      readonly kind: "set-aside";
    };

export type AliasInput = InputBase & {
  readonly userId: Id;
  readonly previousId: Id;
  readonly anonymousId?: Id | undefined;
};

export type BatchAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: string;
    }
  | {
      readonly kind: "silent";
      readonly fault: BatchFault;
    };

export type BatchFault = "timeout" | "network" | "bad-transport" | "no-fetch";

export interface BatchOptions {
  readonly endpoint: string;
  readonly flushAt?: number | undefined;
  readonly size?: number | undefined;
  readonly flushAfterMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly firstRetryMs?: number | undefined;
  readonly maxRetryMs?: number | undefined;
  readonly maxQueued?: Partial<QueueCapacity> | undefined;
  readonly maxInFlight?: number | undefined;
  readonly closeTimeoutMs?: number | undefined;
  readonly whenFull?: "refuse" | "wait" | undefined;
}

export interface BatchRetryPolicy {
  readonly maxRetries: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

export interface BatchSettings extends FlushPolicy, BatchRetryPolicy {
  readonly url: string;
  readonly timeoutMs: number;
  readonly maxQueued: QueueCapacity;
  readonly maxInFlight: number;
  readonly closeTimeoutMs: number;
  readonly whenFull: "refuse" | "wait";
}

export type BatchVerdict =
  | {
      readonly kind: "taken";
      readonly rejected: ReadonlyMap<number, Objection>;
    }
  | {
      readonly kind: "again";
      readonly objection: Objection;
      readonly waitMs: number;
    }
  | {
      readonly kind: "refused";
      readonly objection: Objection;
    };

export { CALL_KINDS } from "@postrider/core";

export declare const CLIENT_CLOSED: CallRefused;

export { CallKind } from "@postrider/core";

export interface CallRefused {
  readonly code: RefusalCode | "queue-full" | "closed";
  readonly path: string;
  readonly message: string;
}

export type CheckedOptions =
  | {
      readonly kind: "ok";
      readonly settings: BatchSettings;
    }
  | {
      readonly kind: "refused";
      readonly problems: readonly OptionProblem[];
    };

export declare const DEFAULT_BATCH_SETTINGS: Omit<BatchSettings, "url">;

export interface FlushPolicy {
  readonly flushAt: number;
  readonly flushAfterMs: number;
}

export type GroupInput = InputBase &
  InputIds & {
    readonly groupId: Id;
    readonly traits?: Fields | undefined;
  };

export type IdentifyInput = InputBase &
  InputIds & {
    readonly traits?: Fields | undefined;
  };

export interface InputBase {
  readonly messageId?: string | undefined;
  readonly timestamp?: DateLike | string | undefined;
  readonly context?: Fields | undefined;
  readonly integrations?: Fields | undefined;
}

export type InputIds =
  | {
      readonly userId: Id;
      readonly anonymousId?: Id | undefined;
    }
  | {
      readonly userId?: Id | undefined;
      readonly anonymousId: Id;
    };

export { JsonObject } from "@postrider/core";

export { MAX_CALL_BYTES } from "@postrider/core";

export { MonoMs } from "@postrider/core";

export type NextFlush =
  | {
      readonly kind: "now";
    }
  | {
      readonly kind: "later";
      readonly at: MonoMs;
    }
  | {
      readonly kind: "idle";
    };

export interface Objection {
  readonly code: string;
  readonly message: string;
}

export { OptionProblem } from "@postrider/core";

export { OptionsError } from "@postrider/core";

export type PageInput = InputBase &
  InputIds & {
    readonly name?: string | undefined;
    readonly category?: string | undefined;
    readonly properties?: Fields | undefined;
    readonly traits?: Fields | undefined;
  };

export declare const QUEUE_FULL: CallRefused;

export interface QueueCapacity {
  readonly calls: number;
  readonly bytes: number;
}

export interface QueueState {
  readonly calls: number;
  readonly bytes: number;
  readonly awaited: number;
  readonly firstQueuedAt: MonoMs;
  readonly lastFlushAt: MonoMs | undefined;
}

export { Refusal } from "@postrider/core";

export { RefusalCode } from "@postrider/core";

export interface RefusedBatch {
  readonly calls: number;
  readonly takenLast: number;
  readonly refusedAt: number | undefined;
}

export interface RefusedCall {
  readonly kind: "refused";
  readonly refusal: Refusal;
}

export type ScreenInput = PageInput;

export interface SerializedCall {
  readonly type: CallKind;
  readonly messageId: string;
  readonly json: string;
  readonly bytes: number;
}

export type TrackInput = InputBase &
  InputIds & {
    readonly event: string;
    readonly properties?: Fields | undefined;
  };

export type WriteResult =
  | {
      readonly kind: "ok";
      readonly call: SerializedCall;
    }
  | RefusedCall;

export interface WriteStamp {
  readonly messageId: string;
  readonly timestamp: string;
  readonly library: string;
}

export declare function checkOptions(writeKey: string, options: BatchOptions): CheckedOptions;

export declare function createOptionsError(functionName: string, problems: readonly OptionProblem[]): OptionsError;

export { epochMs } from "@postrider/core";

export declare function explainRefusal({ code, path, expected }: Refusal): CallRefused;

export declare function fitsCapacity(used: QueueCapacity, capacity: QueueCapacity, bytes?: number): boolean;

declare function formatWithDate(at: EpochMs): string;
export { formatWithDate as formatTimestamp };

export declare function isBatchFull({ calls, bytes }: QueueState, { flushAt }: FlushPolicy): boolean;

export declare function isolateCall({ calls, takenLast, refusedAt }: RefusedBatch): AfterRefusal;

export declare function judgeAnswer(answer: BatchAnswer, calls: number, now: EpochMs): BatchVerdict;

export { monoMs } from "@postrider/core";

export declare function nextFlush(queue: QueueState, policy: FlushPolicy, now: MonoMs): NextFlush;

export declare function packBatch(
  calls: Iterable<{
    readonly bytes: number;
  }>,
  flushAt: number,
): number;

export declare function readKeptCall({ messageId, type, json }: KeptCall): SerializedCall | undefined;

export declare function retryBatch(
  policy: BatchRetryPolicy,
  tries: number,
  waitMs: number,
  draw: number,
): number | undefined;

export declare function writeBatch(
  calls: readonly {
    readonly json: string;
  }[],
  sentAt: EpochMs,
  writeKey?: string,
): string;

export declare function writeCall(type: CallKind, input: unknown, stamp: WriteStamp): WriteResult;

export declare function writeMessageId(random: Uint8Array): string;

// Not exported by name, but part of what is.

interface DateLike {
  toJSON(): string | null;
}

type Fields = object;

type Id = string | number;

export {};
