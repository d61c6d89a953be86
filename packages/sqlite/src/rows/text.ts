// Encodes any string so that SQLite returns it unchanged. A string bound directly would end at its first NUL, and a
// lone surrogate would come back as three replacement characters. JSON escapes preserve both; ordinary ids stay
// readable.

/** The stored form of a string. Only equal strings have equal forms, so the form can be compared and indexed. */
export function toText(value: string): string {
  return MAY_NEED_ESCAPES.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

/** The stored form of a string that may be absent. */
export function toTextOrNull(value: string | undefined): string | null {
  return value === undefined ? null : toText(value);
}

/** The characters that JSON escapes, and surrogate pairs, which it does not. */
// eslint-disable-next-line no-control-regex -- it looks for control characters
const MAY_NEED_ESCAPES = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** The string of a stored form. */
export function fromText(text: string): string {
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}
