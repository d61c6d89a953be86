// Every number that bounds something, in one place, each with where it comes from.
// A limit that an operator may set lives in the settings; these are fixed.

/** Largest single call, in UTF-8 bytes of its JSON text; equal is allowed (spec, client library §8). */
export const MAX_CALL_BYTES = 32_768;
/** Largest batch request, in bytes after unzipping; equal is allowed (spec, client library §8). */
export const MAX_BATCH_BYTES = 512_000;
/** What the calling library fills of a batch request, in bytes (spec, client library §8). */
export const MAX_SENT_BYTES = 500_000;
/** How long the calling library holds off because a server asks for it. Milliseconds. */
export const MAX_HELD_OFF_MS = 300_000;
/** What is kept of each text with which a server objects, in characters. */
export const MAX_TOLD_LENGTH = 300;
/** Most calls in one batch (decision: limits of the way in). */
export const MAX_BATCH_CALLS = 2_500;
/** Deepest nesting of a call, the call itself being level 1 (decision: limits of the way in). */
export const MAX_DEPTH = 64;
/**
 * Deepest nesting of a text that is parsed: a call that is somewhat too deep is refused by itself, under its path, and
 * spoils no other; a text that is deeper than this is refused unparsed (decision: what a request may cost).
 */
export const MAX_TEXT_DEPTH = 256;
/** Longest path to a place in a call or a document, as errors show it, in characters (decision: what a request may cost). */
export const MAX_PATH_LENGTH = 200;
/** Longest messageId, in characters (decision: dedupe). */
export const MAX_MESSAGE_ID_LENGTH = 100;

/** Most endpoints of a destination (spec, webhook destination §8). */
export const MAX_ENDPOINTS = 5;
/** Most static headers of an endpoint (spec, webhook destination §8). */
export const MAX_STATIC_HEADERS = 5;
/** Longest endpoint URL, in characters (decision: settings). */
export const MAX_URL_LENGTH = 2_048;

/** What is read of a receiver's answer, at most (decision: rounds and verdicts). */
export const MAX_REPLY_BYTES = 65_536;
/** What is kept of a receiver's answer, at most (decision: rounds and verdicts). */
export const MAX_EXCERPT_BYTES = 4_096;

/** How long a (source, messageId) is remembered (decision: dedupe). */
export const DEDUPE_WINDOW_MS = 86_400_000;
/** How many are remembered at most; the oldest go first (decision: dedupe). */
export const MAX_DEDUPE_IDS = 50_000_000;

/** What must be left of a lease, beyond the receiver's time, for an attempt to start (decision: leases). */
export const LEASE_SLACK_MS = 2_000;
/** By how much a lease is longer than the receiver's time, at least (decision: leases). */
export const LEASE_MARGIN_MS = 5_000;

/** How many calls the storage of a client keeps, unless its host says otherwise (decision: durable queues of the client). */
export const MAX_KEPT_CALLS = 100_000;

/** How late a retry must be, when a process starts or its clock has stepped, to be spread (decision: outages of our own). */
export const OVERDUE_MS = 60_000;

/** How many rows are enough for a commit (decision: group commits). */
export const GATHER_ROWS = 256;

/** By which share of it an endpoint is left alone longer, at most, than its Retry-After asks for (decision: pace). */
export const RETRY_AFTER_JITTER = 0.2;
/** First wait after a fault of our own, and the longest (decision: rounds and verdicts). */
export const LOCAL_FAULT_FIRST_MS = 1_000;
export const LOCAL_FAULT_MAX_MS = 60_000;

/** Deliveries of one lane under way at once: at first, at most, and where failures stop taking places (decision: pace). */
export const FIRST_LANE_IN_FLIGHT = 32;
export const MAX_LANE_IN_FLIGHT = 512;
export const MIN_LANE_IN_FLIGHT = 4;
/** How many first attempts the share of failures looks back on: each counts by this part of what it leaves (decision: pace). */
export const HEALTH_ROUNDS = 32;
/** Beyond this share of failures each one takes a place from its lane (decision: pace). */
export const FALL_SHARE = 0.4;
/** From this share of failures on a lane is held: after 60 that fail in a row (decision: pace). */
export const HOLD_SHARE = 0.85;
/** How long after a first attempt that succeeded retries say nothing of the receiver (decision: pace). */
export const FRESH_MS = 60_000;
/** Fresh deliveries that may stand in line for each place of a lane beyond the first ones (decision: hand-off). */
export const LINE_PER_PLACE = 2;
/** Deliveries of all lanes together under way at once (decision: lanes). */
export const MAX_IN_FLIGHT = 2_048;
/** A lane may have so many times what is free (decision: shares). */
export const SHARE_OF_FREE = 12;
/** How many places must be free for fresh deliveries to stand in line (decision: hand-off). */
export const RESERVED_IN_FLIGHT = 512;
/** What a lane is granted at a time, before the next one has its turn (decision: lanes). */
export const TURN_DELIVERIES = 32;
/** Lanes that one claim names. */
export const MAX_CLAIMED_LANES = 256;
/** Of so many deliveries one is a retry, where both kinds are due (decision: lanes). */
export const RETRY_EVERY = 5;
/** How long a held lane is left alone before a probe: at first, and at most (decision: lanes). */
export const PROBE_FIRST_MS = 5_000;
export const PROBE_MAX_MS = 60_000;
/** Attempts of one endpoint open at once, before rounds leave it out for a sibling: at least so many (decision: lanes). */
export const MAX_OPEN_ATTEMPTS = 64;
/** What a lane holds before a further delivery becomes dead(`lane-full`) (decision: lanes). */
export const MAX_LANE_DELIVERIES = 1_000_000;
export const MAX_LANE_BYTES = 4_294_967_296;

/** Most users of one deletion request (decision: deletion). */
export const MAX_DELETION_USERS = 5_000;
/** Longest user id that can be deleted or be a member of an audience, in characters: no call can carry a longer one. */
export const MAX_USER_ID_LENGTH: number = MAX_CALL_BYTES;
/** An audience of so many members or more loses no more than this share of them to a sync that nobody confirmed. */
export const MIN_GUARDED_MEMBERS = 20;
export const MAX_REMOVED_SHARE = 0.5;
/** Longest name of an audience, in characters: its key stands in each of its messages, up to four times. */
export const MAX_AUDIENCE_NAME_LENGTH = 200;
