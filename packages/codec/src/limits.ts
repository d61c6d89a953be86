// Every number that bounds what codec reads of settings. What bounds a call lives in core.

/** Levels of a config or a scenario, the whole being the first; a sound one has five. */
export const MAX_SETTINGS_DEPTH = 64;
/** Characters of an API token: fewer can be guessed. */
export const MIN_TOKEN_LENGTH = 16;
/**
 * Characters of a JSON text that are parsed in one step, and one more token; the worst of texts takes the parser some 9 ms for so
 * much (decision: event-loop turns).
 */
export const PARSE_STEP_LENGTH = 65_536;
