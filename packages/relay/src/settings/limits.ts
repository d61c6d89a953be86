// The limits of the texts and settings that are read here. The limits of a call are in core.

/** Levels of nesting in a config. The whole config is level 1; a valid config has at most six levels. */
export const MAX_SETTINGS_DEPTH = 64;
/** The shortest API token, in characters; a shorter token could be guessed. */
export const MIN_TOKEN_LENGTH = 16;
/**
 * Characters of a JSON text that are parsed in one step, plus at most one token; for the worst texts of this size the
 * parser needs about 9 ms (decision: event-loop turns).
 */
export const PARSE_STEP_LENGTH = 65_536;
