// The public entry of core, for hosts and for authors of adapters and receivers. The exports are in the order in which the
// processing of a call needs them. Exports that only the packages of this repository use are in engine/.

export {
  type Body,
  deletionId,
  type DeletionId,
  deliveryId,
  type DeliveryId,
  destinationId,
  type DestinationId,
  endpointId,
  type EndpointId,
  epochMs,
  type EpochMs,
  leaseToken,
  type LeaseToken,
  monoMs,
  processId,
  type MonoMs,
  type ProcessId,
  plusMs,
  laneMark,
  type LaneMark,
  replayJobId,
  type ReplayJobId,
  sourceId,
  type SourceId,
} from "./ids.js";
export {
  DEDUPE_WINDOW_MS,
  MAX_ACTOR_LENGTH,
  MAX_AUDIENCE_NAME_LENGTH,
  MAX_BATCH_BYTES,
  MAX_BATCH_CALLS,
  MAX_CALL_BYTES,
  MAX_BOARD_HOLDS,
  MAX_CLAIMED_DELIVERIES,
  MAX_CLAIMED_LANES,
  MAX_DELETION_USERS,
  MAX_DEPTH,
  MAX_IMPRECISE_TOLD,
  MAX_ENDPOINTS_PER_DESTINATION,
  MAX_EXCERPT_BYTES,
  MAX_MESSAGE_ID_LENGTH,
  MAX_MESSAGE_USERS,
  MAX_RECORD_BYTES,
  MAX_REPLY_BYTES,
  MAX_SETTINGS_BYTES,
  MAX_SETTINGS_HISTORY,
  MAX_URL_LENGTH,
  MAX_USER_ID_LENGTH,
} from "./limits.js";

export { type Call, CALL_KINDS, type CallKind, type JsonObject } from "./call/call.js";
export { type CallWarning, type Receipt, WARNING_CODES } from "./call/receipt.js";
export { type Refusal, REFUSAL_CODES, type RefusalCode } from "./call/refusal.js";

export type { RateLimit } from "./intake/rate-limit.js";

export type { FilteredUnit, FilterReason } from "./routing/route.js";

export type { Message } from "./message/message.js";

export { NOTIFICATION_KINDS, type NotificationKind } from "./notify/notification.js";

export type { OptionProblem, OptionsError } from "./options-error.js";
export { isAddressRange } from "./settings/address-range.js";
export { checkWorkspace } from "./settings/check-workspace.js";
export { DEFAULT_DELIVERY, DEFAULT_RETENTION } from "./settings/workspace.js";
export { readEndpointUrl } from "./settings/endpoint-url.js";
export type { Problem, ProblemCode } from "./settings/problem.js";
export { createSecret, type Secret } from "./settings/secret.js";
export type {
  Connection,
  DeliveryPolicy,
  Destination,
  Endpoint,
  Header,
  NotifyHook,
  Retention,
  Source,
  StaticHeader,
  Workspace,
} from "./settings/workspace.js";

export { USER_AGENT } from "./request/build-request.js";
export { signBody } from "./request/sign-body.js";
export { verifySignature } from "./request/verify-signature.js";
export { type StandardWebhookHeaders, verifyStandardWebhook } from "./request/verify-signature.js";

export { judgeReply, type Judgement } from "./round/judge-reply.js";
export { createExcerptCollector } from "./http/exchange.js";
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./retry/retry-policy.js";
export type { RetryHistory, RetrySchedule, ScheduleFault, ScheduleInput } from "./retry/retry-schedule.js";
export { type Draws, longestDelay, retryDelay, scheduleRetry, windowEnd } from "./retry/schedule.js";
export { type Counts, NO_COUNTS, type SourceCounts } from "./delivery/counts.js";
export {
  type AttemptRecord,
  type AttemptResult,
  DEAD_REASONS,
  type DeadReason,
  DELIVERY_STATES,
  type DeliveryRecord,
  type DeliveryState,
  type DeliverySummary,
  type Detail,
  type EndpointState,
  type Lapses,
  type MessageType,
  type Verdict,
} from "./delivery/delivery.js";
export { type Lease, holderOf } from "./delivery/lease.js";
export type { Outcome, Settlement, InitialState } from "./delivery/delivery.js";
export { type Fault, FAULTS, type Reply } from "./http/reply.js";
export type { HttpRequest } from "./http/request.js";
export { DELIVERY_EVENTS, DELIVERY_TABLE, type DeliveryEvent, nextState } from "./delivery/states.js";

export { isAudienceSource } from "./audience/audience.js";

export type { DeletionRecord, DeletionRequest, NoticeCounts } from "./deletion/deletion.js";
export { type DeletionStep, nextStep } from "./deletion/deletion.js";
export { effectsOf, type Regulation, REGULATIONS } from "./deletion/deletion.js";

export type { ReplayedState, ReplayFilter, ReplayJob, ReplayJobStep } from "./replay/replay-job.js";

export type {
  AudienceDefinition,
  AudienceRecord,
  RunningSync,
  SnapshotRange,
  SyncCounts,
  SyncReport,
} from "./audience/audience.js";
export type { LeaseHolder } from "./delivery/lease.js";
export type { Member, MemberChange, PageCursor } from "./audience/member.js";
export type { AudienceStore } from "./ports/audience-store.js";
export type { CallChange, CallStorage, KeptCall, KeptCallPage, KeptCallPageRequest } from "./ports/call-storage.js";
export type { Cancel, Clock } from "./ports/clock.js";
export type {
  DeletionPage,
  DeletionQuery,
  DeletionStore,
  NewDeletion,
  NoticeProgress,
} from "./ports/deletion-store.js";
export type { ChangedLanes, LaneChanges } from "./ports/lane-changes.js";
export type { LaneRow } from "./ports/lane-changes.js";
export type {
  BeatRequest,
  BoardHold,
  BoardNews,
  BoardProcess,
  BoardRow,
  BoardTokens,
  LaneBoard,
} from "./ports/lane-board.js";
export type { Hints } from "./ports/lane-changes.js";
export type { Outbox, OutboxCall, OutboxEntry, OutboxQuery, RunStatement } from "./ports/outbox.js";
export type { LanePause } from "./records/codecs.js";
export type {
  AcceptResult,
  Changes,
  CommitResult,
  NewDelivery,
  NewMessage,
  Replay,
  SettleResult,
  CallCounts,
} from "./ports/changes.js";
export type {
  ClaimResult,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryPage,
  DeliveryStore,
  EndRequest,
  LaneClaim,
  LanePage,
  LanePageRequest,
  ListQuery,
  PullInRequest,
  StoreError,
  StoreErrorCode,
  SweepRequest,
} from "./ports/delivery-store.js";
export type { HttpPort } from "./ports/http.js";
export { createStoreError } from "./store-error.js";
export {
  RECORD_KINDS,
  type RecordKind,
  type RecordQuery,
  type RecordStore,
  type StoredRecord,
} from "./ports/record-store.js";
export type { Random } from "./ports/clock.js";
export type { RecordablePorts, RecordedSegment, RelayRecorder, SegmentOwner, SegmentStart } from "./ports/recorder.js";
export type { SeenMessage, SeenQuery } from "./ports/seen.js";
export type { SettingsChange, SettingsEdit, SettingsPutResult, SettingsRevision } from "./settings/shared-settings.js";
export type { SharedClock } from "./ports/clock.js";
export { type Explanation, explain, type ExplainInput } from "./explain/explain.js";
export type { DeliveryReason, LaneClosure } from "./explain/delivery-reason.js";
export {
  type EndpointHold,
  LANE_MODES,
  type LaneBackoff,
  type LaneFailure,
  type LaneMode,
  type LaneRate,
  type LaneStatus,
  type PausedBy,
} from "./explain/lane-status.js";
