// The public exports of relay/trace: recording a relay, and replaying what was recorded.

export { readTrace } from "./format/read-trace.js";
export type { TraceError } from "./format/read-trace.js";
export { type Recording, recordPorts, type RecordOptions } from "./record/record-ports.js";
export { type Happening, replayTrace, type ReplayTraceOptions, type TraceReplay } from "./replay/replay-trace.js";
export { repliesOf, type RepliesOptions } from "./replies-of.js";
export type { ReplayedRelay } from "./replay/segment-replay.js";
export type { Trace } from "./trace.js";
