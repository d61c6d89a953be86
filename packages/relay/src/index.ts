// The public interface of the package.

export type { AudienceFault, Audiences, Members, SyncFault, SyncOptions, SyncProgress } from "./audiences/audiences.js";
export { type CheckedSettings, checkSettings, checkSettingsInSteps } from "./settings-in-force.js";
export { createRelay } from "./create-relay.js";
export type { RelayFault } from "./fault.js";
export type { AdoptedRevision, RelayEvent } from "./relay-event.js";
export { createFairQueue, type FairQueue } from "./intake/turns.js";
export { createNextLoopTurn } from "./loop.js";
export type { LogEntry, Logger, LogLevel } from "./log-limit.js";
export type { Arrival, Health, Relay, RelayOptions, ReplayFault, ReplayRequest } from "./relay.js";
export type {
  DeletionFault,
  Deletions,
  LaneFault,
  LaneRequests,
  Membership,
  ReplayJobFault,
  ReplayJobs,
  ReplayPreview,
  TestFault,
  TestReport,
  TestRequest,
  UserDataCursor,
  UserDataPage,
  UserDataQuery,
  UserDataRequests,
  UserDatum,
} from "./requests.js";
