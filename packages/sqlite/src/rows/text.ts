// Writes any string so that SQLite gives it back exactly. Bound as it is, a text would end at its first NUL, and a lone
// surrogate would come back as three replacement characters. JSON's escapes carry both; ordinary ids stay readable.

/** As it is stored. Equal exactly for equal strings, so that it may be compared and indexed. */
export function toText(value: string): string {
  return MAY_NEED_ESCAPES.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

/** The same, for what may be missing. */
export function orNull(value: string | undefined): string | null {
  return value === undefined ? null : toText(value);
}

/** Whatever JSON escapes, and pairs of surrogates too, which it leaves as they are. */
// eslint-disable-next-line no-control-regex -- these are what it is about
const MAY_NEED_ESCAPES = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** As it was. */
export function fromText(text: string): string {
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}
