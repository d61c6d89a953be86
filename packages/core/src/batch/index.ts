// @internal The entry of core for the clients of this project; any version may change it. Writes, queues and sends calls in
// batches. It must not import Node modules, so that it runs in browsers and edge runtimes. The exports are in the order in
// which a call needs them.

export { CALL_KINDS, type CallKind, type JsonObject } from "../call/call.js";
export { type Refusal, type RefusalCode } from "../call/refusal.js";
export type { RefusedCall } from "../call/refuse-call.js";
export { MAX_CALL_BYTES } from "../limits.js";
export { writeMessageId } from "../intake/message-id.js";
export { formatWithDate as formatTimestamp } from "../time/format-with-date.js";

export { epochMs, type MonoMs, monoMs } from "../ids.js";

export type { BatchSettings } from "./batch-settings.js";
export { type BatchOptions, type CheckedOptions, checkOptions } from "./check-options.js";
export { createOptionsError, type OptionProblem, type OptionsError } from "../options-error.js";
export { DEFAULT_BATCH_SETTINGS } from "./defaults.js";
export type {
  AliasInput,
  GroupInput,
  IdentifyInput,
  InputBase,
  InputIds,
  PageInput,
  ScreenInput,
  TrackInput,
} from "./call-input.js";
export { writeCall, type WriteResult, type WriteStamp, type SerializedCall } from "./write-call.js";
export { type CallRefused, CLIENT_CLOSED, explainRefusal, QUEUE_FULL } from "./call-refused.js";
export { fitsCapacity, type QueueCapacity } from "./queue-capacity.js";
export { type FlushPolicy, isBatchFull, nextFlush, type NextFlush, type QueueState } from "./next-flush.js";
export { packBatch, readKeptCall, writeBatch } from "./pack-batch.js";
export { type BatchAnswer, type BatchVerdict, judgeAnswer } from "./judge-answer.js";
export type { BatchFault, Objection } from "./objection.js";
export { type BatchRetryPolicy, retryBatch } from "./retry-batch.js";
export { type AfterRefusal, isolateCall, type RefusedBatch } from "./isolate-call.js";
