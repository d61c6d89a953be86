// The public interface of the package.

export type {
  AudienceFault,
  Audiences,
  Members,
  SyncBounds,
  SyncFault,
  SyncOptions,
  SyncProgress,
} from "./audience/audiences.js";
export type { ShownRequests } from "./dispatch/attempt.js";
export { type CheckedSettings, checkSettings, checkSettingsInSteps } from "./settings-in-force.js";
export { createRelay } from "./create-relay.js";
export type { RelayFault } from "./fault.js";
export type { ReplayJobFault, ReplayJobs, ReplayPreview } from "./replay/replay-jobs.js";
export type { AdoptedRevision, RelayEvent } from "./relay-event.js";
export { createFairQueue, type QueuedTurn, type FairQueueBounds, type FairQueue } from "./intake/turns.js";
export { createNextLoopTurn } from "./loop-queue.js";
export type { LaneFault, LaneRequests } from "./lane-requests/lane-requests.js";
export type { LogEntry, Logger, LogLevel } from "./logger.js";
export type { DeletionFault, Deletions } from "./deletion/deletions.js";
export type { Arrival, Health, Relay, RelayOptions, ReplayManyResult, ReplayFault, ReplayRequest } from "./relay.js";
export type {
  Membership,
  UserDataCursor,
  UserDataPage,
  UserDataQuery,
  UserDataRequests,
  UserDatum,
} from "./user-data/user-data.js";
export type { TestAttempt, TestFault, TestReport, TestRequest } from "./test-event/test-event.js";
