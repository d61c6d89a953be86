// The public entry of api.

export { type ApiOptions, createApi } from "./create-api.js";
export type { DeliveryJson } from "./handle-list-deliveries.js";
export type { Reload, ReloadOutcome, ReloadProblem } from "./handle-reload.js";
export type { ApiCode } from "./refuse.js";
export { isUpload } from "./routes.js";
export type { CallerUsage } from "./handle-show-stats.js";
