// Writes any string so that SQLite gives it back exactly. Bound as it is, a text would end at its first NUL, and a lone
// surrogate would come back as three replacement characters. JSON's escapes carry both; ordinary ids stay readable.

/** As it is stored. Equal exactly for equal strings, so that it may be compared and indexed. */
export function toText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** As it was. */
export function fromText(text: string): string {
  return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
}
