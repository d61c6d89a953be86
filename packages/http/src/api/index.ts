// The public entry of http/api.

export { type CallJson, createRecentCalls, INTAKE_OUTCOMES, type RecentCalls } from "./recent-calls.js";
export { type ApiOptions, createApi, createTrustedApi, type TrustedApiOptions } from "./create-api.js";
export { createRecentEvents, type RecentEvents } from "./events/recent-events.js";
export { createMetrics, type MetricsOptions } from "./create-metrics.js";
export type { AudienceJson } from "./audiences/audience-json.js";
export type { DeletionJson } from "./deletions/describe-deletion.js";
export type { DeliveryJson, DeliveryPageJson, DeliveryRequestsJson } from "./handle-deliveries.js";
export type { ExplanationJson } from "./handle-explain-delivery.js";
export type { AttemptJson, RecordJson } from "./handle-show-delivery.js";
export type { HealthJson, VersionJson } from "./handle-show-server.js";
export type { SourceJson } from "./handle-sources.js";
export type { TestReportJson } from "./handle-test-destination.js";
export type { LaneJson } from "./lane-json.js";
export type { ReplayJobJson, ReplayPreviewJson } from "./replays/replay-job-json.js";
export type { FindingJson } from "./settings/handle-trials.js";
export type { CertificateOutcome, Reload, ReloadOutcome } from "./handle-reload.js";
export type { ReloadProblem, SettingsChangeJson, SettingsJson } from "./settings/settings-json.js";
export type { SeriesJson } from "./handle-stats.js";
export type { DraftProbeOutcome, DraftTestOutcome, SettingsCheck, SettingsDesk } from "./settings/settings-desk.js";
export { askedOperation, type AskedOperation, isUpload } from "./routes.js";
export type { CallerUsage } from "./handle-stats.js";
