// The public face of core. Reading the rooms in this order is the way a call goes.

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
  type MonoMs,
  plusMs,
  sourceId,
  type SourceId,
} from "./ids.js";
export { defined, type Defined } from "./defined.js";
export { mapInSteps, runSteps, type Steps } from "./steps.js";
export {
  DEDUPE_WINDOW_MS,
  LEASE_SLACK_MS,
  FIRST_LANE_IN_FLIGHT,
  MAX_AUDIENCE_NAME_LENGTH,
  MAX_BATCH_BYTES,
  MAX_BATCH_CALLS,
  MAX_CALL_BYTES,
  MAX_DEDUPE_IDS,
  MAX_DELETION_USERS,
  MAX_DEPTH,
  MAX_EXCERPT_BYTES,
  MAX_CLAIMED_LANES,
  MAX_IN_FLIGHT,
  MAX_KEPT_CALLS,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  MAX_LANE_IN_FLIGHT,
  MIN_LANE_IN_FLIGHT,
  MAX_OPEN_ATTEMPTS,
  MAX_REPLY_BYTES,
  MAX_TEXT_DEPTH,
  MAX_USER_ID_LENGTH,
  PROBE_FIRST_MS,
  PROBE_MAX_MS,
  RETRY_EVERY,
  TURN_DELIVERIES,
} from "./limits.js";

export {
  type AliasCall,
  type Call,
  CALL_KINDS,
  type CallBase,
  type CallKind,
  type GroupCall,
  type IdentifyCall,
  type JsonObject,
  type PageCall,
  type ScreenCall,
  type TrackCall,
} from "./call/call.js";
export { isPlainObject } from "./call/is-plain-object.js";
export { pathOf, pathTo, type Place, ROOT_PLACE } from "./call/path.js";
export { usersOf } from "./call/users-of.js";
export type { Receipt } from "./call/receipt.js";
export { type Refusal, REFUSAL_CODES, type RefusalCode } from "./call/refusal.js";

export { checkCall, type CheckedCall, type CheckResult } from "./intake/check-call.js";
export { checkJson } from "./intake/check-json.js";
export { checkMerged } from "./intake/check-merged.js";
export { checkSize } from "./intake/measure.js";
export { type ReadShared, readShared, type SharedFields } from "./intake/read-shared.js";
export { writeMessageId } from "./intake/message-id.js";
export { type Allowance, type RateLimit, spendCalls, type Spending } from "./intake/rate-limit.js";
export { isNestedDeeper } from "./intake/text-depth.js";
export { type Stamp, stampCall, type StampedCall } from "./intake/stamp-call.js";

export { hasMisspeltAll, integrationDecides, isAbsentIntegrations } from "./routing/integration-decides.js";
export { type FilteredUnit, type FilterReason, type Route, routeCall, type RoutedCall } from "./routing/route.js";

export { encodeMessage, encodeWithContext } from "./message/encode-message.js";
export { mapCall, mapDeletion } from "./message/map-call.js";
export type {
  AliasMessage,
  DeleteMessage,
  GroupMessage,
  IdentifyMessage,
  Message,
  PageMessage,
  ScreenMessage,
  TrackMessage,
} from "./message/message.js";
export { formatTimestamp } from "./time/format-timestamp.js";
export { parseTimestamp } from "./time/parse-timestamp.js";

export { createOptionsError, type OptionProblem, type OptionsError } from "./options-error.js";
export { checkWorkspace, checkWorkspaceInSteps } from "./settings/check-workspace.js";
export { DEFAULT_DELIVERY, DEFAULT_DESTINATION_NAME, DEFAULT_RETENTION } from "./settings/defaults.js";
export { type EndpointUrl, readEndpointUrl } from "./settings/endpoint-url.js";
export { maskEndpoint } from "./settings/mask-endpoint.js";
export type { Problem, ProblemCode } from "./settings/problem.js";
export { createSecret, type Secret } from "./settings/secret.js";
export type {
  Connection,
  DeliveryPolicy,
  Destination,
  Endpoint,
  Header,
  Retention,
  Source,
  StaticHeader,
  Workspace,
} from "./settings/workspace.js";
export { readWriteKey, type WriteKey } from "./settings/write-key.js";

export { type Addressed, buildRequest, USER_AGENT } from "./request/build-request.js";
export { signBody } from "./request/sign-body.js";
export { signMessageId } from "./request/sign-message-id.js";
export { signStandardWebhook, type StandardWebhook, webhookId } from "./request/sign-standard-webhook.js";
export { verifySignature } from "./request/verify-signature.js";
export {
  type StandardVerdict,
  type StandardWebhookHeaders,
  verifyStandardWebhook,
} from "./request/verify-standard-webhook.js";

export { describeResult, judgeReply, type Judgement } from "./round/judge-reply.js";
export { type Plan, planRound, type RoundContext } from "./round/plan-round.js";
export { createExchange, type Exchange, type ExchangeStep, type ReplyHead } from "./http/exchange.js";
export { createExcerptReader, type ExcerptReader } from "./round/read-excerpt.js";
export { recordAttempt } from "./round/record-attempt.js";
export type { EndedAttempt, Holds, RoundDelivery } from "./round/round.js";
export { type RoundEnd, type SettledRound, settleRound } from "./round/settle-round.js";
export { holdUntil, longestHold, readRetryAfter } from "./retry/retry-after.js";
export { type Overdue, spreadOverdue } from "./retry/spread-overdue.js";
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from "./retry/retry-policy.js";
export {
  baseDelay,
  type Draws,
  lastSlot,
  longestDelay,
  type NextRound,
  type Past,
  retryDelay,
  scheduleRetry,
  windowEnd,
} from "./retry/schedule.js";
export { type Counts, countsBalance, NO_COUNTS, type SourceCounts, totalCounts } from "./delivery/counts.js";
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
  type MessageType,
  type Verdict,
} from "./delivery/delivery.js";
export type { Lease } from "./delivery/lease.js";
export type { Outcome, Settlement, Start } from "./delivery/settlement.js";
export { type Fault, FAULTS, type Reply } from "./http/reply.js";
export type { HttpRequest } from "./http/request.js";
export { DELIVERY_EVENTS, DELIVERY_TABLE, type DeliveryEvent, nextState } from "./delivery/states.js";
export { commitAt, type Gathered } from "./gather/commit-at.js";
export { afterRound, type RoundSeen, type RoundSignal, signalOf } from "./lanes/after-round.js";
export { type LaneState, mayBegin, type Moment, placesFor, type Standing, standingOf } from "./lanes/lane-state.js";
export { type Grant, nextTurns, type ReadyLane } from "./lanes/next-turns.js";
export type { Health } from "./lanes/health.js";
export { freeFor, shareLeft } from "./lanes/lane-share.js";
export { type Hold, type Pace, startPace } from "./lanes/pace.js";
export { probeRetries, shareRetries } from "./lanes/share-retries.js";
export { type LaneBounds, type LaneOnArrival, startDelivery } from "./lanes/start-delivery.js";
export { nextTokenAt, takeTokens, type Tokens, tokensLeft } from "./lanes/tokens.js";

export { type AudienceCall, audienceCall, RESERVED_AUDIENCE_KEYS } from "./audience/audience-call.js";
export { type AudienceKey, audienceKey, snakeCase } from "./audience/audience-key.js";
export { audienceSource, isAudienceSource } from "./audience/audience-source.js";
export { diffPages, type PageDiff } from "./audience/diff-pages.js";
export { diffSorted } from "./audience/diff-sorted.js";
export { boundsAt, erasedUpTo, isErasedFrom, noteErased, settledSets } from "./audience/erasure.js";
export type { Bound, MovedBound } from "./audience/erasure.js";
export { isRemovalHeld } from "./audience/guard-removal.js";
export { mergePages, type PageMerge } from "./audience/merge-pages.js";
export { type BadMember, readMember } from "./audience/read-member.js";
export { advanceSnapshot, currentSet, partBeyond, reachedIn } from "./audience/snapshot.js";
export { sortMembers } from "./audience/sort-members.js";
export { neededSets, ownSets, setsOf, straySets, syncSet } from "./audience/sync-sets.js";
export {
  beginSync,
  endSync,
  isHeld,
  knownTo,
  leaveBehind,
  releaseSync,
  sendSync,
  takeUpSync,
  tellSync,
  type Told,
  type WholeSet,
} from "./audience/sync-steps.js";

export { checkDeletion } from "./deletion/check-deletion.js";
export type { DeletionRecord, DeletionRequest, NoticeCounts } from "./deletion/deletion.js";
export { type DeletionProgress, type DeletionStep, nextStep } from "./deletion/next-step.js";
export { noticeId } from "./deletion/notice-id.js";
export { type Notice, noticesOf } from "./deletion/notices-of.js";
export { effectsOf, type Regulation, type RegulationEffects, REGULATIONS } from "./deletion/regulation.js";

export type {
  AudienceDefinition,
  AudienceRecord,
  RunningSync,
  SnapshotPart,
  SyncCounts,
  SyncHolder,
  SyncReport,
  ToldSnapshot,
} from "./audience/audience.js";
export type { Member, MemberChange, Reading } from "./audience/member.js";
export type { AudienceStore } from "./ports/audience-store.js";
export type { CallChange, CallStorage, KeptCall } from "./ports/call-storage.js";
export type { Cancel, Clock } from "./ports/clock.js";
export type { DeletionPage, DeletionQuery, DeletionStore, NewDeletion, Notified } from "./ports/deletion-store.js";
export type { Accepted, Changes, Committed, NewDelivery, NewMessage, Replay, Settled, Tally } from "./ports/changes.js";
export type {
  Claimed,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryPage,
  DeliveryStore,
  EndRequest,
  LaneClaim,
  LanePage,
  LanePageRequest,
  LaneRow,
  ListQuery,
  PullInRequest,
  StoreError,
  StoreErrorCode,
  SweepRequest,
} from "./ports/delivery-store.js";
export type { HttpPort } from "./ports/http.js";
export type { Random } from "./ports/random.js";
export type { SeenMessage, SeenQuery } from "./ports/seen.js";
