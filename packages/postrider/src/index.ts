// The public entry of postrider: Postrider inside a host program, with a server or without.

/// <reference lib="esnext.disposable" preserve="true" />

export { createPostrider } from "./embed/create-postrider.js";
export type { Postrider, PostriderOptions, PostriderSettings } from "./embed/postrider.js";
export type { OutboxCalls } from "./assembly/outbox-calls.js";
export type { CallAnswer, SourceCalls } from "./assembly/source-calls.js";

export type { HttpLimits } from "./server/http-limits.js";
export { createJsonLogger } from "./log/log-lines.js";
export type { ConfigProblem } from "./config/config-problem.js";
export { readConfig, readConfigInSlices, type ReadConfigResult } from "./config/read-config.js";
export type { ConfigureResult } from "./assembly/reconfigure.js";
export type { RunningServer, StopResult } from "./server/running-server.js";
export { type ServerOptions, type StartResult, startServer } from "./server/start-server.js";
export type { TlsFiles } from "./server/tls/tls-pair.js";
