// The version of the API. docs/stability.md says what may change within it.

/** Increases when an answer loses or changes something that a client may rely on. */
export const API_VERSION = 1;
