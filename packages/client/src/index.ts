// The public entry of client.

/// <reference lib="esnext.disposable" preserve="true" />

export { createClient } from "./create-client.js";
export type { CallResult, Client, ClientOptions, CloseReport } from "./client.js";
export type { FlushReport } from "./create-call-tracker.js";
export type { DeliveredCall, FailedCall, CallOutcome } from "./outcome.js";
export type { ClientLogger, ClientLogEntry } from "./logger.js";
export type { Transport, TransportAnswer, TransportRequest } from "./transport.js";
