// @internal The second entry of core, `@postrider/core/engine`: the decisions that the relay, the stores and the fronts carry
// out. Only the packages of this project import it; any version may change it. Exports are in the order in which a call
// needs them.

export { defined } from "../defined.js";
export { mapInSteps, runSteps, type Steps } from "../steps.js";
export {
  BOARD_BEAT_MS,
  BOARD_LIVE_MS,
  BOARD_SLICE_MS,
  END_MARGIN_DIVISOR,
  LAST_SLOT_DIVISOR,
  MIN_END_MARGIN_MS,
  LEASE_SLACK_MS,
  FIRST_LANE_IN_FLIGHT,
  MAX_DEDUPE_IDS,
  MAX_IN_FLIGHT,
  MAX_KEPT_CALLS,
  MAX_LANE_BYTES,
  MAX_LANE_DELIVERIES,
  MAX_LANE_IN_FLIGHT,
  MAX_NOTIFIED_PLACES,
  MAX_NOTIFY_HOOKS,
  MIN_LANE_IN_FLIGHT,
  MIN_OPEN_ATTEMPTS_BOUND,
  NOTIFY_LATE_DELETION_MS,
  MAX_STATIC_HEADERS,
  MAX_TEXT_DEPTH,
  PROBE_FIRST_MS,
  PROBE_MAX_MS,
  RETRY_EVERY,
  MAX_DELIVERIES_PER_TURN,
} from "../limits.js";

export type { CallBase } from "../call/call.js";
export { isPlainObject } from "../call/is-plain-object.js";
export { pathOf, pathTo, type Place, ROOT_PLACE } from "../call/path.js";
export { plainCall } from "../call/plain-call.js";
export { refuseCall, type RefusedCall } from "../call/refuse-call.js";
export { usersOf } from "../call/users-of.js";

export { checkCall, type CheckedCall } from "../intake/check-call.js";
export { checkJson } from "../intake/check-json.js";
export { checkMerged } from "../intake/check-merged.js";
export { checkSize } from "../intake/measure.js";
export { readShared, readSharedInSteps, type SharedFields } from "../intake/read-shared.js";
export type { SharedObjects } from "../intake/shared-object.js";
export { writeMessageId } from "../intake/message-id.js";
export { type Allowance, spendCalls, type RateDecision } from "../intake/rate-limit.js";
export { isNestedDeeper } from "../intake/text-depth.js";
export { stampCall, type StampedCall } from "../intake/stamp-call.js";
export { sampledTraceparent } from "../intake/stamp-call.js";

export { hasMisspeltAll, isAllowedByIntegrations } from "../routing/integration-decides.js";
export { routeCall, type RoutedCall } from "../routing/route.js";

export { encodeMessage, encodeWithContext } from "../message/encode-message.js";
export { mapCall, deleteMessageOf } from "../message/encode-message.js";
export { type ClockOffset, clockOffset, type TimeReading } from "../time/clock-offset.js";
export { formatDuration } from "../time/format-duration.js";
export { formatTimestamp } from "../time/format-timestamp.js";
export { HOUR_MS } from "../time/format-duration.js";
export { parseTimestamp } from "../time/parse-timestamp.js";
export { readInstant } from "../time/read-instant.js";
export { createDeadlines, type Deadline, type Deadlines } from "../time/deadlines.js";
export { pauseFor } from "../time/deadlines.js";

export { DOCS_URL, errorDocs } from "../docs-url.js";
export { createOptionsError } from "../options-error.js";
export { RESERVED_HEADER_PREFIXES, RESERVED_HEADERS } from "../settings/check-headers.js";
export { checkWorkspaceInSteps } from "../settings/check-workspace.js";
export { DEFAULT_DESTINATION_NAME } from "../settings/workspace.js";
export { keepQuotes } from "../settings/endpoint-url.js";
export { maskEndpoint } from "../settings/endpoint-url.js";
export { readWriteKey, type ReadWriteKeyResult } from "../settings/secret.js";

export { type RequestTarget, buildRequest } from "../request/build-request.js";
export { signMessageId } from "../request/sign-message-id.js";
export { signStandardWebhook, webhookId } from "../request/sign-standard-webhook.js";

export { describeResult, FORBIDDEN_ADDRESS, isForbidden, isOfOneMessage } from "../round/judge-reply.js";
export { type AttemptedEndpoints, planRound, type RoundContext } from "../round/plan-round.js";
export { createExchange, type Exchange, type ExchangeStep, type ReplyHead } from "../http/exchange.js";
export { isRefusedByAll, recordAttempt, withoutRefused } from "../round/round.js";
export type { EndedAttempt, RoundDelivery, Standings } from "../round/round.js";
export { afterReply, type HeardReply, isRefusing, NO_STANDING, type Standing } from "../round/standing.js";
export { type RoundEnd, type SettledRound, settleRound, settleWithoutRound } from "../round/settle-round.js";
export { holdUntil, longestHold, readRetryAfter } from "../retry/retry-after.js";
export { type Lateness, spreadDueTime } from "../retry/spread-due-time.js";
export { type ScheduleMistake, watchPolicy, watchSchedule } from "../retry/ask-schedule.js";
export { baseDelay, lastSlot } from "../retry/schedule.js";
export { countsBalance, totalCounts } from "../delivery/counts.js";
export { lapsesInWords } from "../explain/reason-in-words.js";
export {
  CURRENT_SETTINGS,
  decodeAudience,
  decodePause,
  decodeReplayJob,
  decodeSettings,
  decodeSettingsChange,
  encodeAudience,
  encodePastSettings,
  encodePause,
  encodeReplayJob,
  encodeSettings,
} from "../records/codecs.js";
export { PROCESS_ID_LENGTH } from "../delivery/lease.js";
export { commitAt, type PendingRows } from "../gather/commit-at.js";
export { recheckBlocked } from "../lanes/blocked.js";
export { probeNow } from "../lanes/pace.js";
export { afterRound, type EndedRound } from "../lanes/after-round.js";
export type { RoundSignal } from "../lanes/health.js";
export { isOnDuty } from "../board/duty.js";
export type { BoardMoment, LaneView } from "../board/lane-view.js";
export { confirmBoard, mergeBoard } from "../board/merge-board.js";
export { isMoved, isNews, nextRow } from "../board/publish.js";
export {
  announce,
  type BoardShare,
  hearShares,
  isSettled,
  joinBoard,
  shareOfLimit,
  usableShare,
} from "../board/share.js";
export { type LeasedTokens, leasedLeft, nextSliceAt, takeSlice } from "../board/slice.js";
export { takeProbe } from "../board/take-probe.js";
export {
  lacksProbe,
  lacksTokens,
  type LaneOnBoard,
  type LaneState,
  mayStartRound,
  startableByRate,
  usableLimit,
  wantedSlots,
  type LaneMoment,
  usableSlots,
  type LaneReadiness,
  readinessOf,
} from "../lanes/lane-state.js";
export { type ClaimGrant, nextTurns, type ReadyLane } from "../lanes/next-turns.js";
export { freeSlotsNeeded, slotsInShare } from "../lanes/lane-state.js";
export { type Backoff, type BackoffReason, type Pace, initialPace } from "../lanes/pace.js";
export { probeRetries, shareRetries } from "../lanes/pace.js";
export { type LaneBounds, type LaneOnArrival, startDelivery } from "../lanes/start-delivery.js";
export { nextTokenAt, takeTokens, type RateTokens, tokensLeft } from "../lanes/tokens.js";

export { type LaneTrouble, laneTroubles } from "../notify/lane-troubles.js";
export type { Notification, NotifiedPlace } from "../notify/notification.js";
export { addOccurrence, afterTelling, isSpent, isToRemind, isToTell, type Untold } from "../notify/untold.js";
export { writeNotification } from "../notify/write-notification.js";

export { audienceCall, RESERVED_AUDIENCE_KEYS } from "../audience/audience-call.js";
export { audienceKey, snakeCase } from "../audience/audience-key.js";
export { audienceSource } from "../audience/audience.js";
export { diffPages } from "../audience/diff-pages.js";
export { diffSorted } from "../audience/diff-sorted.js";
export { rangeEndsAt, erasedUpTo, isErasedFrom, recordErased } from "../audience/erasure.js";
export type { RangeEnd, MovedRangeEnd } from "../audience/erasure.js";
export { needsConfirmation } from "../audience/guard-removal.js";
export { mergePages } from "../audience/merge-pages.js";
export { readMember } from "../audience/read-member.js";
export { advanceSnapshot, rangeAfter, sentRange } from "../audience/audience.js";
export { sortMembers } from "../audience/member.js";
export { neededSets, setsOfSync, setPrefix, unusedSets, uploadedSets, setName } from "../audience/sync-sets.js";
export {
  beginSync,
  endSync,
  snapshotOf,
  skipDestinations,
  releaseSync,
  startSending,
  resumeSync,
  advanceSync,
  type CollectedSet,
} from "../audience/sync-steps.js";
export { isLeaseValid } from "../delivery/lease.js";

export { checkDeletion } from "../deletion/check-deletion.js";
export { noticeId } from "../deletion/notices.js";
export { type NoticeTarget, noticeTargetsOf } from "../deletion/notices.js";

export {
  beginReplayStep,
  countReplayStep,
  endReplayJob,
  newReplayJob,
  releaseReplayJob,
  takeReplayJob,
} from "../replay/replay-job-steps.js";

export { checkDelivery, EXPECTED_SCHEDULE, isRetrySchedule } from "../settings/check-policy.js";
export { storeErrorCodeOf } from "../store-error.js";
export { type UnusualNumber, unusualNumbers } from "../settings/unusual-numbers.js";
