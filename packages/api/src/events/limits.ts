// Every number that bounds the stream of events: what is remembered, how many read, and how much is written at once.

/** The events that are remembered for readers that are behind; an older one is forgotten. */
export const MAX_RECENT_EVENTS = 2_000;
/** How many may read at the same time; a further one is answered 503. */
export const MAX_EVENT_READERS = 100;
/** How long events are remembered for a reader that comes back. Milliseconds since the last one has left. */
export const EVENTS_KEPT_MS = 60_000;
/** How long further events are gathered before readers are woken. Milliseconds. */
export const EVENTS_GATHERED_MS = 50;
/** A reader that was told nothing since then gets a comment, so that proxies keep the connection. Milliseconds. */
export const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it connects again. Milliseconds. */
export const RECONNECT_MS = 2_000;
/** A piece of the stream ends with the frame that makes it as long as this. UTF-16 units. */
export const EVENTS_PIECE_LENGTH = 16_384;
/** The longest event as JSON; of a longer one only its kind and time are told. UTF-16 units. */
export const MAX_EVENT_LENGTH = 8_192;
/** The ids and filtered destinations of a call that are told; the rest is counted. */
export const MAX_LISTED_IN_EVENT = 20;
