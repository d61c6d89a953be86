// All fixed limits, each with its source: a section of the specification or a decision. Limits that an operator may change
// are in the settings instead.

/** Largest single call, in UTF-8 bytes of its JSON text; a call of this size is allowed (spec, client library §8). */
export const MAX_CALL_BYTES = 32_768;
/** Largest batch request, in bytes after unzipping; a request of this size is allowed (spec, client library §8). */
export const MAX_BATCH_BYTES = 512_000;
/** The largest batch request that the calling library makes, in bytes (spec, client library §8). */
export const MAX_CLIENT_BATCH_BYTES = 500_000;
/** The longest delay by Retry-After that the calling library obeys, in ms; a longer delay is shortened to this. */
export const MAX_CLIENT_RETRY_AFTER_MS = 300_000;
/** Longest code or text of a server's objection to a call, in characters; a longer code or text is cut. */
export const MAX_OBJECTION_LENGTH = 300;
/** Most calls in one batch (decision: request limits). */
export const MAX_BATCH_CALLS = 2_500;
/** Deepest nesting of a call, where the call itself is level 1 (decision: request limits). */
export const MAX_DEPTH = 64;
/** UTF-16 units of a batch's shared fields that are read in one step: about those of a slice of calls (decision: event-loop turns). */
export const SHARED_STEP_UNITS = 524_288;
/** The limit on a call's corrected time beyond its receipt; one that is further gets the time of receipt (decision: details of calls). */
export const MAX_AHEAD_MS = 86_400_000;
/** The most numbers of a call that are reported as imprecise; further ones are not. */
export const MAX_IMPRECISE_TOLD = 3;
/**
 * Deepest nesting of a request that is parsed. A deeper request is refused without being parsed. Up to this depth, only the
 * calls that are too deep are refused, each with a path; the other calls of the batch pass (decision: request cost).
 */
export const MAX_TEXT_DEPTH = 256;
/** Longest path in an error, in characters (decision: request cost). */
export const MAX_PATH_LENGTH = 200;
/** Longest messageId, in characters (decision: dedupe). */
export const MAX_MESSAGE_ID_LENGTH = 100;

/** Most endpoints of a destination (spec, webhook destination §8). */
export const MAX_ENDPOINTS_PER_DESTINATION = 5;
/** Most static headers of an endpoint (spec, webhook destination §8). */
export const MAX_STATIC_HEADERS = 5;
/** Longest endpoint URL, in characters (decision: settings). */
export const MAX_URL_LENGTH = 2_048;

/** Most bytes that are read of the body of a receiver's answer (decision: rounds and verdicts). */
export const MAX_REPLY_BYTES = 65_536;
/** Most bytes that are stored of the body of a receiver's answer (decision: rounds and verdicts). */
export const MAX_EXCERPT_BYTES = 4_096;

/** The time for which a pair (source, messageId) is remembered (decision: dedupe). */
export const DEDUPE_WINDOW_MS = 86_400_000;
/** Most pairs (source, messageId) that are remembered; the oldest pairs are forgotten first (decision: dedupe). */
export const MAX_DEDUPE_IDS = 50_000_000;

/** An attempt starts only if its lease lasts at least this much longer than the receiver's timeout (decision: leases). */
export const LEASE_SLACK_MS = 2_000;
/** `leaseMs` must exceed the receiver's timeout by at least this much (decision: leases). */
export const LEASE_MARGIN_MS = 5_000;

/** Default capacity of a client's durable queue, in calls (decision: durable client). */
export const MAX_KEPT_CALLS = 100_000;

/**
 * Retries that are overdue by more than this when a process starts, or when its clock has stepped, are spread over time
 * (decision: downtime and clock steps).
 */
export const OVERDUE_MS = 60_000;

/** Once this many rows are gathered, they are committed without further delay (decision: group commits). */
export const GATHER_ROWS = 256;

/**
 * The last slot, in which the last round is placed, begins before the end of the window: by the window divided by
 * `LAST_SLOT_DIVISOR`, or by twice the margin below if that is longer (decision: schedule).
 */
export const LAST_SLOT_DIVISOR = 250;
/**
 * The last slot ends before the window does. The time between is the window divided by `END_MARGIN_DIVISOR`, but at least
 * `MIN_END_MARGIN_MS` (decision: schedule).
 */
export const END_MARGIN_DIVISOR = 2_000;
/** The least time between the end of the last slot and that of the window, in ms (decision: schedule). */
export const MIN_END_MARGIN_MS = 50;

/** A hold is longer than its Retry-After by at most this share of the Retry-After (decision: lane health). */
export const RETRY_AFTER_JITTER = 0.2;
/** The first and the longest delay after a local fault (decision: local faults). */
export const LOCAL_FAULT_FIRST_MS = 1_000;
export const LOCAL_FAULT_MAX_MS = 60_000;

/** The number of slots that a lane begins with: deliveries that may be in flight at once (decision: lane health). */
export const FIRST_LANE_IN_FLIGHT = 32;
/** The largest number of slots of a lane (decision: lane health). */
export const MAX_LANE_IN_FLIGHT = 512;
/** The smallest number of slots of a lane, after failures (decision: lane health). */
export const MIN_LANE_IN_FLIGHT = 4;
/** The share of failures is a moving average over about this many first attempts (decision: lane health). */
export const HEALTH_ROUNDS = 32;
/** Above this share of failures, each failure takes one slot from its lane (decision: lane health). */
export const SHRINK_FAILURE_SHARE = 0.4;
/** From this share of failures on, which 60 failures in a row reach, a lane goes into backoff (decision: lane health). */
export const BACKOFF_FAILURE_SHARE = 0.85;
/**
 * The fewest failures in a row for which one of several processes takes a slot, or begins a backoff: a receiver that fails for every
 * second call fails 15 times in a row by chance once in 30,000 (decision: lane board).
 */
export const SHRINK_FAILURES_IN_A_ROW = 6;
export const BACKOFF_FAILURES_IN_A_ROW = 15;
/**
 * For this long after a first attempt has succeeded, retries do not count for the health of a lane (decision: lane health).
 */
export const RETRIES_IGNORED_MS = 60_000;
/** Fresh deliveries that a lane may queue in memory per slot above `FIRST_LANE_IN_FLIGHT` (decision: hand-off). */
export const QUEUED_PER_SLOT = 2;
/** Slots of all lanes together, that is, deliveries in flight at once (decision: lanes). */
export const MAX_IN_FLIGHT = 2_048;
/** A lane may have at most this many slots for each slot that is free (decision: slot shares). */
export const MAX_SLOTS_PER_FREE_SLOT = 12;
/** Fresh deliveries are queued in memory only while more slots than this are free (decision: hand-off). */
export const MIN_FREE_TO_QUEUE = 512;
/** Most deliveries that a lane is granted in one turn (decision: lanes). */
export const MAX_DELIVERIES_PER_TURN = 32;
/** Most lanes in one claim: a claim is unpacked in one turn of the event loop (decision: event-loop turns). */
export const MAX_CLAIMED_LANES = 256;
/** Most deliveries in one claim (decision: event-loop turns). */
export const MAX_CLAIMED_DELIVERIES = 256;
/** If retries and new deliveries are due, one of this many claimed deliveries is a retry (decision: lanes). */
export const RETRY_EVERY = 5;
/**
 * An endpoint is refusing once it has refused `REFUSING_MESSAGES` in a row over `REFUSING_FOR_MS`, or `REFUSING_MESSAGES_AT_ONCE` in any
 * time, and in either case `REFUSING_TIMES_USUAL` times as many as it usually refuses in a row (decision: refusals).
 */
export const REFUSING_MESSAGES = 3;
export const REFUSING_FOR_MS = 1_000;
export const REFUSING_MESSAGES_AT_ONCE = 60;
export const REFUSING_TIMES_USUAL = 10;
/**
 * The usual number of refusals in a row is a moving average over about this many runs of refusals; a run longer than
 * `MAX_USUAL_REFUSALS` counts as that.
 */
export const USUAL_RUNS = 8;
export const MAX_USUAL_REFUSALS = 60;
/**
 * A delivery that was refused for the first time is tried again after this time, in ms, at least `firstRetryMs` and at most `maxRetryMs`
 * (decision: refusals).
 */
export const CONFIRM_AFTER_MS = 30_000;
/** A success of an endpoint is noted at most once in this time, in ms (decision: refusals). */
export const SUCCESS_NOTED_MS = 250;
/** The first delay before a probe of a lane in backoff, in ms (decision: lanes). */
export const PROBE_FIRST_MS = 5_000;
/** The longest delay before a probe of a lane in backoff, in ms (decision: lanes). */
export const PROBE_MAX_MS = 60_000;
/** The longest delay before a probe of a lane whose receiver refuses whatever it gets, in ms (decision: refusals). */
export const REFUSING_PROBE_MAX_MS = 15_000;
/** The least delay before the addresses of a blocked destination are looked up again (decision: blocked destinations). */
export const BLOCKED_RECHECK_MS = 60_000;
/**
 * The bound on open attempts at an endpoint is at least this. A round skips an endpoint at its bound if another endpoint is
 * below its bound (decision: lanes).
 */
export const MIN_OPEN_ATTEMPTS_BOUND = 64;
/** Capacity of a lane: a delivery that exceeds it is dead(`lane-full`) (decision: lanes). */
export const MAX_LANE_DELIVERIES = 1_000_000;
/** Capacity of a lane in bytes of bodies: a delivery that exceeds it is dead(`lane-full`) (decision: lanes). */
export const MAX_LANE_BYTES = 4_294_967_296;

/** The interval at which a process tells the others on its store that it lives, and learns their news (decision: lane board). */
export const BOARD_BEAT_MS = 1_000;
/** The time for which a process counts as alive without a sign of life (decision: lane board). */
export const BOARD_LIVE_MS = 6_000;
/** The part of a rate that one process takes from the board at once, in ms, and the time for which it may use it (decision: lane board). */
export const BOARD_SLICE_MS = 250;
/** A lane's limit is announced to the others once it has moved by this part of the limit in the row (decision: lane board). */
export const BOARD_LIMIT_DIVISOR = 4;
/** Only a hold of at least this length is announced to the others, and only a change of a hold by at least this (decision: lane board). */
export const BOARD_HOLD_MS = 1_000;
/** Most holds in one row of the board: those that last longest (decision: lane board). */
export const MAX_BOARD_HOLDS: number = 2 * MAX_ENDPOINTS_PER_DESTINATION;

/** Most users of one message: its user, and the previous id of an alias call. */
export const MAX_MESSAGE_USERS = 2;
/** Most users of one deletion request (decision: deletion). */
export const MAX_DELETION_USERS = 5_000;
/** Longest user id in a deletion request or an audience, in characters: no call can carry a longer one. */
export const MAX_USER_ID_LENGTH: number = MAX_CALL_BYTES;
/**
 * A sync of an audience with at least `MIN_GUARDED_MEMBERS` members must be confirmed if it removes more than
 * `MAX_REMOVED_SHARE` of them (decision: guarded uploads).
 */
export const MIN_GUARDED_MEMBERS = 20;
export const MAX_REMOVED_SHARE = 0.5;
/** Longest name of an audience, in characters: each of its messages contains its key up to four times. */
export const MAX_AUDIENCE_NAME_LENGTH = 200;

/** Most hooks that are notified (decision: notifications). */
export const MAX_NOTIFY_HOOKS = 5;
/** After a notification, the same kind about the same destination is not sent again for this long (decision: notifications). */
export const NOTIFY_EVERY_MS = 900_000;
/** The interval at which lasting trouble is reported again (decision: notifications). */
export const NOTIFY_REMIND_MS = 3_600_000;
/** The share of failures from which a destination is said to fail: half the share that holds its lane (decision: notifications). */
export const NOTIFY_FAILURE_SHARE: number = BACKOFF_FAILURE_SHARE / 2;
/** A retry window is at risk once less than this part of it is left (decision: notifications). */
export const NOTIFY_WINDOW_DIVISOR = 4;
/** A request about users is late from this age on (decision: notifications). */
export const NOTIFY_LATE_DELETION_MS = 3_600_000;
/** Destinations that one notification names; further ones are counted (decision: notifications). */
export const MAX_NOTIFIED_PLACES = 10;
/** Codes that are kept for one destination and kind; further ones are left out (decision: notifications). */
export const MAX_NOTIFIED_DETAILS = 5;

/** Most bytes of a document of settings, in UTF-8: as of the largest request (decision: settings in the store). */
export const MAX_SETTINGS_BYTES: number = MAX_BATCH_BYTES;
/**
 * Most bytes of the text of a record, in UTF-8: a document of settings, and 4 KiB for a line that tells its change (decision: one part
 * for records).
 */
export const MAX_RECORD_BYTES: number = MAX_SETTINGS_BYTES + 4_096;
/** Revisions of the settings that a store keeps; the oldest are removed first (decision: settings in the store). */
export const MAX_SETTINGS_HISTORY = 50;
/** The longest name of the author of a change of settings, in UTF-16 units (decision: settings in the store). */
export const MAX_ACTOR_LENGTH = 200;
