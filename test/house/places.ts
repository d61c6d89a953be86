// The place of a text in a file, and changes of a text that leave all other places as they are.

/** The line of an index, as editors open it: `README.md:12`. */
export function placeAt(path: string, text: string, index: number): string {
  return `${path}:${String(text.slice(0, index).split("\n").length)}`;
}

/** Spaces instead of the text. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** On one line, with spaces instead of what begins the lines of a comment. */
export function flow(text: string): string {
  return text.replace(/\n\s*(?:\/\/|\*(?!\/))?\s*/g, (gap) => " ".repeat(gap.length));
}
