// How often a server looks for settings, and how long it waits for the store.

/** How often the store is asked for settings that are newer, in ms: all servers have them within twice this. */
export const FOLLOW_MS = 1_000;
/** How often settings that could not be adopted are tried again, in ms: a file that they refer to may have come. */
export const ADOPT_AGAIN_MS = 10_000;
/** How long a caller of the API waits for the store, in ms. */
export const DESK_WAIT_MS = 5_000;
/** Test events by settings that are not in force, at the same time. */
export const MAX_DRAFT_TESTS = 4;
/** Probes of the endpoints of a destination that is not in force, at the same time. */
export const MAX_DRAFT_PROBES = 4;
/** How often a start looks at the store again, since another server was first to fill it. */
export const MAX_IMPORTS = 3;
