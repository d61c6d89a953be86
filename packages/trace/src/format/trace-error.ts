// The errors of reading a trace, with codes for programs.

/** `not-a-trace`: the bytes are none. `unknown-version`: another version of Postrider wrote it. */
export type TraceErrorCode = "not-a-trace" | "unknown-version";

/** Why a trace was not read. */
export interface TraceError extends Error {
  readonly code: TraceErrorCode;
}

/** An error with its code and its reason in words. */
export function createTraceError(code: TraceErrorCode, reason: string): TraceError {
  return Object.assign(new Error(reason), { name: "TraceError", code });
}
