// The public face of postrider: the server that `postrider serve` runs, for whoever wants it inside a program of theirs.

export type { HttpLimits } from "./http-limits.js";
export { createLogLines } from "./log-lines.js";
export type { ConfigProblem } from "./config-problem.js";
export { readConfig, readConfigInSlices, type ReadConfig } from "./read-config.js";
export type { Configured, RunningServer, Stopped } from "./running-server.js";
export { type ServerOptions, type Started, type StartFault, startServer } from "./start-server.js";
