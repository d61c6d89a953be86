// The public entry of http/api.

export { createRecentCalls, INTAKE_OUTCOMES, type RecentCalls } from "./recent-calls.js";
export { type ApiOptions, createApi, createTrustedApi, type TrustedApiOptions } from "./create-api.js";
export { createRecentEvents, type RecentEvents } from "./events/recent-events.js";
export { createMetrics, type MetricsOptions } from "./create-metrics.js";
export type { CertificateOutcome, Reload, ReloadOutcome } from "./handle-reload.js";
export type { DraftProbeOutcome, DraftTestOutcome, SettingsCheck, SettingsDesk } from "./settings/settings-desk.js";
export { askedOperation, type AskedOperation, isUpload } from "./routes.js";
export type { CallerUsage } from "./handle-stats.js";
