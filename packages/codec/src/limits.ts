// The limits of what codec reads of settings. Those of a call are in core.

/** Levels of a config or a scenario, the whole being the first; a valid one has five. */
export const MAX_SETTINGS_DEPTH = 64;
/** Characters of an API token; a shorter one could be guessed. */
export const MIN_TOKEN_LENGTH = 16;
/**
 * Characters of a JSON text that are parsed in one step, plus at most one token; for the worst texts of this size the
 * parser needs some 9 ms (decision: event-loop turns).
 */
export const PARSE_STEP_LENGTH = 65_536;
