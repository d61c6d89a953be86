// The public entry of postrider: the server of `postrider serve`, for use inside a host program.

export type { HttpLimits } from "./server/http-limits.js";
export { createJsonLogger } from "./log/log-lines.js";
export type { ConfigProblem } from "./config/config-problem.js";
export { readConfig, readConfigInSlices, type ReadConfigResult } from "./config/read-config.js";
export type { ConfigureResult, RunningServer, StopResult } from "./server/running-server.js";
export { type ServerOptions, type StartResult, type StartFault, startServer } from "./server/start-server.js";
