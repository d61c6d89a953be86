// All numbers that bound the relay's queues, loops and waits. The bounds of a delivery are in core.

import { type LaneBounds, MAX_LANE_BYTES, MAX_LANE_DELIVERIES } from "@postrider/core/engine";
import type { SyncBounds } from "./audiences/audiences.js";

/** The delay before each repeat of a request to a busy store; there are as many repeats as delays. */
export const BUSY_DELAYS_MS: readonly number[] = [10, 20, 40, 80, 160];
/** The pause between tries of a settlement while its lease is in force. */
export const SETTLE_RETRY_MS = 250;
/** The delay after which the caller of a shed call is told to try again. */
export const SHED_RETRY_MS = 5_000;
/** The time after the timeout of a request in which the HTTP port may still answer. A lease must outlast both. */
export const SEND_SLACK_MS = 1_000;
/** The pause of a loop after a fault of the store, and of a sync after a failed commit of its changes. */
export const FAULT_PAUSE_MS = 1_000;

/** The time for which a write that no caller waits for, such as a settlement, waits for further ones, to share their commit. */
export const GATHER_MS = 3;
/**
 * The largest number of rows in one commit, unless a single write has more: a commit blocks the thread, and other
 * writes wait for it.
 */
export const COMMIT_ROWS = 512;
/**
 * Bounds of the writes that wait for a commit: their rows, and the bytes of their bodies. Calls beyond these bounds are
 * shed.
 */
export const MAX_GATHERED_ROWS = 100_000;
export const MAX_GATHERED_BYTES = 67_108_864;
/**
 * Deliveries of a lane that wait for their settlement without a slot, for each slot that the lane may have: a busy store takes
 * longer than a quick receiver (decision: slots at the reply).
 */
export const UNSETTLED_PER_SLOT = 4;
/** The time for which a full store makes health red, unless a write that needs space succeeds before. */
export const FULL_FADES_MS = 30_000;

/**
 * The time after which health is red and new calls are refused: the oldest request to a store that answers in order has waited for
 * it, or a store that answers side by side has answered nothing, or no commit (decisions: stalled stores, silent connections).
 */
export const STALL_MS = 3_000;
/** The interval at which a store that answers side by side is asked for its time while open requests get no answer. */
export const STALL_PROBE_MS = 1_000;
/**
 * The time after which a commit without an answer no longer holds up the next one, and the number of commits that are under way at
 * most: a store that answers side by side goes on while one connection is silent.
 */
export const OVERTAKE_MS = 1_000;
export const MAX_COMMITS = 3;
/** The window whose commits decide health, the number of parts in which it is counted, and the fewest failures that count. */
export const COMMIT_WINDOW_MS = 10_000;
export const COMMIT_WINDOW_PARTS = 10;
export const MIN_FAILED_COMMITS = 3;
/** A timer that fires later than planned by more than this shows that the process itself was stopped. */
export const STALL_SLACK_MS = 250;

/**
 * The bounds of a slice of an arrival, after which other work runs: its calls; the UTF-16 units of text that were read
 * plus the bytes of bodies (a single call may exceed this bound); and its units, one for each call and destination
 * (decision: request cost).
 */
export const SLICE_CALLS = 256;
export const SLICE_BYTES = 1_048_576;
export const SLICE_UNITS = 512;
/** Slices that are processed, and rounds that begin, in one loop turn (decision: event-loop turns). */
export const SLICES_PER_TURN = 1;
export const ROUND_STARTS_PER_TURN = 32;
/**
 * Bounds of the arrivals of more than one slice: the number processed at once, whose bodies take at most that number
 * times `SLICE_BYTES`; the number that there may be, including waiting ones, whose calls stay in memory; and the number
 * of these that may be of one source.
 */
export const MAX_SLICED_AT_ONCE = 4;
export const MAX_SLICED = 32;
export const MAX_SLICED_OF_SOURCE = 24;

/** The interval at which the store is asked for work that another process stored, unless the host says otherwise. */
export const POLL_MS = 1_000;
/** The shortest interval at which other processes are woken, and the lanes that one hint names; beyond, they read all lanes. */
export const HINT_EVERY_MS = 100;
export const MAX_HINTED_LANES = 100;
/** The shortest interval at which hints that name no lane have all lanes read. */
export const HINTED_POLL_EVERY_MS = 250;
/** From this value on, a difference between the two clocks is a step and not a drift. */
export const CLOCK_STEP_MS = 1_000;
/** The interval at which the clock of a store is read; the most readings each time; and the error after which no further one is made. */
export const READ_TIME_EVERY_MS = 10_000;
export const MAX_TIME_READINGS = 8;
export const GOOD_TIME_ERROR_MS = 10;
/** Lanes that a poll reads with one request to the store. */
export const LANES_PER_PAGE = 500;
/** Pauses, replay jobs or audiences that are read with one request. */
export const RECORDS_PER_PAGE = 100;
/** The interval at which all lanes are read where the store reports which have changed. */
export const READ_ALL_LANES_EVERY_MS = 30_000;
/** The interval at which lanes that are closed or held are searched for deliveries whose window has ended. */
export const END_EVERY_MS = 30_000;
/** The interval at which the board is asked while this process does not have its part yet, or has more under way than that. */
export const BOARD_UNSETTLED_MS = 250;
/** Rows of the board that are read with one request, and written with one. */
export const BOARD_ROWS_PER_PAGE = 500;
export const BOARD_ROWS_PER_WRITE = 100;
/** The number of times that rows are written again at once if other processes were quicker; then they wait for the next turn. */
export const MAX_BOARD_RACES = 5;
/** The interval at which finished deliveries whose retention has ended are swept. */
export const SWEEP_EVERY_MS = 60_000;
/** Deliveries that are ended, swept, brought forward, purged or replayed in one commit. */
export const DELIVERIES_PER_SLICE = 250;
/** The pause for other work between two slices. */
export const SLICE_PAUSE_MS = 20;
/** The largest number of slices in a row; the rest of the work waits for the next run. */
export const MAX_SLICES = 200;

/** Deliveries that one request may replay: the maximum and the default. */
export const MAX_REPLAY = 10_000;
export const DEFAULT_REPLAY = 1_000;

/** Calls of the outbox that are read and accepted at once. */
export const OUTBOX_PAGE = 250;
/**
 * Sources without settings that are left out of what is read of the outbox, the number of them that are looked at after each walk,
 * and the number up to which the calls of one are counted.
 */
export const MAX_UNKNOWN_SOURCES = 1_000;
export const UNKNOWN_SOURCES_PER_WALK = 20;
export const MAX_COUNTED_OUTBOX = 10_000;
/** Pages of the outbox in which the calls of users are looked for, before a request about them is opened. */
export const MAX_OUTBOX_PAGES = 10_000;

/** The interval at which the store is asked for replay jobs that another process accepted, or left unfinished. */
export const REPLAY_JOBS_EVERY_MS = 5_000;
/** The pause of a replay job for a lane that is long, and after a fault of the store. */
export const REPLAY_LANE_PAUSE_MS = 1_000;
/** Pages of a replay job that are replayed before the next job has its turn. */
export const REPLAY_STEPS_PER_TURN = 20;
/** The length up to which replay jobs fill a lane; it leaves room for calls. */
export const REPLAY_LANE_DELIVERIES = 50_000;
/** Replay jobs that are kept: once there are more, those that ended first are removed. */
export const MAX_REPLAY_JOBS = 1_000;
/** Bytes of the id of a replay job. */
export const REPLAY_JOB_ID_BYTES = 8;
/**
 * Deliveries that a preview counts, in one request to the store and in all; the pages that it reads, some of which may be empty;
 * and the deliveries that it shows.
 */
export const PREVIEWED_AT_ONCE = 1_000;
export const MAX_PREVIEWED = 1_000_000;
export const MAX_PREVIEW_PAGES = 10_000;
export const PREVIEW_EXAMPLES = 5;

/**
 * Log entries that are written within `LOG_WINDOW_MS` for one code at one destination or of one source; further entries
 * are only counted.
 */
export const LOG_BURST = 10;
export const LOG_WINDOW_MS = 10_000;
/** The number of subjects (a code at a destination, or of a source) whose log entries are counted at once. */
export const MAX_LOG_SUBJECTS = 1_000;
/** Pairs of a source and a kind of slip or unusable date that are logged once each; further pairs are not logged. */
export const MAX_LOGGED_SLIPS = 10_000;

/** The number of deliveries whose local faults are counted at once. */
export const MAX_LOCAL_STREAKS = 10_000;

/** The bounds of a lane, unless the host gives others. */
export const DEFAULT_BOUNDS: LaneBounds = { maxDeliveries: MAX_LANE_DELIVERIES, maxBytes: MAX_LANE_BYTES };

/** Bytes of a lease token that are new for each lease; the id of the process comes before them. */
export const TOKEN_BYTES = 8;

/** Bytes of the id of a deletion request: enough that an id cannot be guessed. */
export const DELETION_ID_BYTES = 16;
/** The interval at which the store is asked for deletion requests that another process accepted, or of which a step failed. */
export const DELETIONS_EVERY_MS = 5_000;
/** Deletion requests that are read at once. If more are unfinished, a turn carries out only the newest of them. */
export const DELETIONS_AT_ONCE = 1_000;
/** Notices stored in one commit, counted once for each destination, unless a single user has more. */
export const NOTICES_PER_COMMIT = 250;

/** Bytes of the id by which receivers know an audience. */
export const AUDIENCE_ID_BYTES = 12;
/** The number of tries of a change of a record, as long as changes of other processes come first. */
export const MAX_RACES = 20;
/** The time for which work on an audience uses the thread before other work runs. */
export const LONG_WORK_SLICE_MS = 10;
/** The number of times that the owner of a sync renews its lease within the length of that lease. */
export const RENEWALS_PER_LEASE = 4;
/** The interval at which the store is asked for syncs that another process has left unfinished. */
export const SYNCS_EVERY_MS = 5_000;

/**
 * The bounds of a sync, unless the host sets others: with these, collecting a run takes about 20 MB of memory, and a
 * merge takes as much.
 */
export const SYNC_BOUNDS: SyncBounds = {
  chunkMembers: 16_384,
  runChunks: 12,
  appendMembers: 8_192,
  mergeRuns: 64,
  stepChanges: 2_000,
  laneDeliveries: 50_000,
};
/** UTF-16 units of the user ids and values in one chunk, and in the members that are appended in one commit. */
export const CHUNK_TEXT_LENGTH = 1_048_576;
export const APPEND_TEXT_LENGTH = 262_144;

/**
 * Users removed from a set in one commit: each may change a different page of the file, and other writes wait for the
 * commit.
 */
export const ERASED_AT_ONCE = 100;
/** Changes that a sync counts before other work may run. */
export const COMPARED_AT_ONCE = 10_000;

/** Changes of a sync stored in one commit, counted once for each destination. */
export const CHANGES_PER_COMMIT = 250;
/** The number of tries of a commit of changes, before the sync is left for later. */
export const CHANGES_TRIES = 10;
/** The pause of a sync if no destination can be sent changes now: lanes are full, or notices must be stored first. */
export const FULL_LANE_PAUSE_MS = 250;

/**
 * The numbers of deliveries and requests of a user that are read for one page, and of audiences and suppressed users in which the
 * user is looked for.
 */
export const USER_DELIVERIES_AT_ONCE = 50;
export const USER_REQUESTS_AT_ONCE = 100;
export const AUDIENCES_AT_ONCE = 20;
export const SUPPRESSED_AT_ONCE = 1_000;
/** Pages of a set that are read to find one user; mostly it is the first. */
export const MAX_LOOK_UP_PAGES = 10_000;

/** The number of test events that may be under way at the same time. */
export const TESTS_AT_ONCE = 4;

/** The interval at which a relay looks for news for its hooks; the news of one look are sent together. */
export const NOTIFY_LOOK_MS = 5_000;
/** The interval at which the store is asked for late requests about users, and the number that is read: the newest. */
export const LATE_DELETIONS_EVERY_MS = 60_000;
export const LATE_DELETIONS_AT_ONCE = 1_000;
/** Destinations that are counted separately for each kind; further ones are counted together. */
export const MAX_NOTIFY_PLACES = 10_000;
/** Notifications that wait for one hook. While there are as many, further ones are left out and counted. */
export const MAX_WAITING_NOTIFICATIONS = 100;
/** The time for which a notification is tried, and the longest delay between two tries. */
export const NOTIFY_WINDOW_MS = 3_600_000;
export const NOTIFY_MAX_RETRY_MS = 300_000;
/** Bytes of the id of a notification. */
export const NOTIFICATION_ID_BYTES = 12;
