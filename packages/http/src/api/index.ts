// The public entry of http/api.

export { createRecentCalls, INTAKE_OUTCOMES, type RecentCalls } from "./recent-calls.js";
export { type ApiOptions, createApi, createTrustedApi, type TrustedApiOptions } from "./create-api.js";
export { createRecentEvents, type RecentEvents } from "./events/recent-events.js";
export { createMetrics, type MetricsOptions, type RenderedMetrics } from "./create-metrics.js";
export type { DeliveryJson } from "./handle-deliveries.js";
export type { CertificateOutcome, Reload, ReloadOutcome } from "./handle-reload.js";
export type { ReloadProblem } from "./settings/settings-json.js";
export type { LaneColumn, ReadableSeries, ReadColumns, ReadSeries } from "./handle-stats.js";
export type {
  DraftProbeOutcome,
  DraftTestOutcome,
  EndpointFinding,
  SettingsCheck,
  SettingsDesk,
  SettingsOutcome,
  ShownSettings,
} from "./settings/settings-desk.js";
export type { ApiCode } from "./refuse.js";
export type { ReadBy } from "./contract/operation.js";
export { askedOperation, type AskedOperation, isUpload } from "./routes.js";
export type { CallerUsage } from "./handle-stats.js";
