// The public face of postrider: the server that `postrider serve` runs, for whoever wants it inside a program of theirs.

export type { HttpLimits } from "./server/http-limits.js";
export { createLogLines } from "./log/log-lines.js";
export type { ConfigProblem } from "./config/config-problem.js";
export { readConfig, readConfigInSlices, type ReadConfig } from "./config/read-config.js";
export type { Configured, RunningServer, Stopped } from "./server/running-server.js";
export { type ServerOptions, type Started, type StartFault, startServer } from "./server/start-server.js";
