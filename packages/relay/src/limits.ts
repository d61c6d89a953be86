// Every number that bounds the relay's own queues, loops and waits. What bounds a delivery lives in core.

import type { SyncBounds } from "./audience/audiences.js";

/** How often a busy store is asked again, and how long to wait before each. */
export const BUSY_DELAYS_MS: readonly number[] = [10, 20, 40, 80, 160];
/** How long a settlement waits between tries while its lease lives. */
export const SETTLE_RETRY_MS = 250;
/** What callers are told to wait when nothing can be stored. */
export const SHED_RETRY_MS = 5_000;
/** How much later than it was told an HTTP port may answer: less than what a lease has left then. */
export const SEND_SLACK_MS = 1_000;
/** How long to wait after a claim or a look at the lanes that failed. */
export const FAULT_PAUSE_MS = 1_000;

/** How long writes wait for each other, to share a commit. */
export const GATHER_MS = 3;
/** Rows of one commit, unless a single slice of an arrival has more: a commit stops the thread, and others wait behind it. */
export const COMMIT_ROWS = 512;
/** What may wait for the next commit, before calls are shed. */
export const MAX_GATHERED_ROWS = 100_000;
export const MAX_GATHERED_BYTES = 67_108_864;
/** How long a full store turns health red, unless a commit goes through before: then a call may try again. */
export const FULL_FADES_MS = 30_000;

/** From this age on a question to the store turns health red and new calls away (decision: stalled stores). */
export const STALL_MS = 3_000;
/** A timer that comes later than this is taken as a sign that the process itself has stood still. */
export const STALL_SLACK_MS = 250;

/**
 * What is looked at, written and started of one arrival before all else has its turn: calls, units of text and bytes of
 * bodies (one call may go beyond), and destinations of its calls (decision: request cost).
 */
export const SLICE_CALLS = 256;
export const SLICE_BYTES = 1_048_576;
export const SLICE_UNITS = 512;
/** Slices that are worked on, and rounds that begin, between two returns to the event loop (decision: event-loop turns). */
export const SLICES_A_TURN = 1;
export const STARTS_A_TURN = 64;
/**
 * Arrivals of more than one slice: how many are worked off at once, so that their bodies take no more than so many times
 * `SLICE_BYTES`; how many there may be with those that wait, whose calls stay in memory; and how many of one source.
 */
export const MAX_SLICED_AT_ONCE = 4;
export const MAX_SLICED = 32;
export const MAX_SLICED_OF_SOURCE = 24;

/** How often the store is asked for work that another process stored, unless the host says otherwise. */
export const POLL_MS = 1_000;
/** From here on a difference between the two clocks is a step and no drift. */
export const CLOCK_STEP_MS = 1_000;
/** Lanes read in one page. */
export const LANE_PAGE = 500;
/** How often deliveries that nobody may claim are looked through for ended windows. */
export const END_EVERY_MS = 30_000;
/** How often finished deliveries are looked through for what may go. */
export const SWEEP_EVERY_MS = 60_000;
/** Deliveries ended, swept or replayed in one commit. */
export const SLICE = 250;
/** How long other work has its turn between two slices. */
export const SLICE_PAUSE_MS = 20;
/** Slices in a row; what is left then waits for the next time. */
export const MAX_SLICES = 200;

/** Deliveries that one request may replay: the most, and if nothing is said. */
export const MAX_REPLAY = 10_000;
export const DEFAULT_REPLAY = 1_000;

/** Log entries of one code at one destination or of one source within a window, before they are only counted. */
export const LOG_BURST = 10;
export const LOG_WINDOW_MS = 10_000;
/** Codes at destinations, and of sources, that are counted at once. */
export const MAX_LOG_SUBJECTS = 1_000;
/** Sources and kinds of slips that are told once; beyond that, none is told. */
export const MAX_TOLD_SLIPS = 10_000;

/** Deliveries whose faults of our own are counted at once. */
export const MAX_LOCAL_STREAKS = 10_000;

/** Bytes of a lease token. */
export const TOKEN_BYTES = 16;

/** Bytes of the id of a deletion request: nobody can guess the next one. */
export const DELETION_ID_BYTES = 16;
/** How often deletion requests are looked for that another process took, or that could not be carried out before. */
export const DELETIONS_EVERY_MS = 5_000;
/** Deletion requests carried out in one look; with more, the newest of them. */
export const DELETIONS_AT_ONCE = 1_000;
/** Notices stored in one commit, unless those of a single user are more. */
export const NOTICES_A_COMMIT = 250;

/** Bytes of the id by which receivers know an audience. */
export const AUDIENCE_ID_BYTES = 12;
/** How often the record of an audience is changed anew because somebody else was faster. */
export const MAX_RACES = 20;
/** How long a sync goes on before other work has its turn. */
export const TURN_MS = 10;
/** Signs of life that the owner of a sync gives within the lease that it would lose it after. */
export const SIGNS_A_LEASE = 4;
/** How often syncs are looked for that another process has left in the middle. */
export const SYNCS_EVERY_MS = 5_000;

/** What a sync may hold, unless the host says otherwise: a run takes about 20 MB, a merge as much. */
export const SYNC_BOUNDS: SyncBounds = {
  chunkMembers: 16_384,
  runChunks: 16,
  appendMembers: 8_192,
  mergeRuns: 64,
  stepChanges: 2_000,
  laneDeliveries: 50_000,
};
/** UTF-16 units of the texts of a chunk, and of members appended at once. */
export const CHUNK_TEXT = 1_048_576;
export const APPEND_TEXT = 262_144;

/** Users taken out of a set in one commit: each may cost a page of it, and others wait behind it. */
export const ERASED_AT_ONCE = 100;
/** Changes that a sync counts before other work may have its turn. */
export const COMPARED_AT_ONCE = 10_000;

/** Changes of a sync stored in one commit, counted once for each destination. */
export const CHANGES_A_COMMIT = 250;
/** How often a commit of changes is tried, before the sync is left for later. */
export const CHANGES_TRIES = 10;
/** How long a sync waits where no destination has room in its lane. */
export const FULL_LANE_PAUSE_MS = 250;
