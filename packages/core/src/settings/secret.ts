// A text that must not be seen: printing, inspecting or stringifying the holder shows nothing.
// Whoever needs the text asks for it by name, so that every use can be found.

export interface Secret {
  /** The text itself. Only for signing and for comparing. */
  reveal(): string;
}

/** Wraps `text` so that logs, errors, `JSON.stringify` and inspection cannot show it. */
export function createSecret(text: string): Secret {
  return { reveal: (): string => text };
}
