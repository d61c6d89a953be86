// A text that must not be shown: printing, inspecting or stringifying the object reveals nothing. The text is read only by
// calling `reveal`, so that every use of it can be found.

/** A text that must not be shown: printing it, or writing it as JSON, does not reveal it. */
export interface Secret {
  /** The text itself. Only for signing and for comparing. */
  reveal(): string;
}

/** Wraps `text` so that logs, errors, `JSON.stringify` and inspection do not show it. */
export function createSecret(text: string): Secret {
  return { reveal: (): string => text };
}
