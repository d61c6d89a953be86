// @internal The entry of core for the clients of this project; any version may change it. Writes, queues and sends calls in
// batches. It must not import Node modules, so that it runs in browsers and edge runtimes. The exports are in the order in
// which a call needs them.

export type { CallKind } from "../call/call.js";
export { MAX_CALL_BYTES } from "../limits.js";
export { writeMessageId } from "../intake/message-id.js";
export { formatWithDate as formatTimestamp } from "../time/format-with-date.js";

export { epochMs, type MonoMs, monoMs } from "../ids.js";

export type { BatchSettings } from "./batch-settings.js";
export { type BatchOptions, checkOptions } from "./check-options.js";
export { createOptionsError, type OptionProblem } from "../options-error.js";
export { DEFAULT_BATCH_SETTINGS } from "./defaults.js";
export type { AliasInput, GroupInput, IdentifyInput, PageInput, ScreenInput, TrackInput } from "./call-input.js";
export { writeCall, type WriteResult, type WriteStamp, type SerializedCall } from "./write-call.js";
export { type CallRefused, CLIENT_CLOSED, explainRefusal, QUEUE_FULL } from "./call-refused.js";
export { fitsCapacity, type QueueCapacity } from "./queue-capacity.js";
export { isBatchFull, nextFlush, type QueueState } from "./next-flush.js";
export { packBatch, readKeptCall, writeBatch } from "./pack-batch.js";
export { type BatchAnswer, type BatchVerdict, judgeAnswer } from "./judge-answer.js";
export type { Objection } from "./objection.js";
export { retryBatch } from "./retry-batch.js";
export { isolateCall } from "./isolate-call.js";
