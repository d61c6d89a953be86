// Splits the text of a configuration file into the words of its lines, without comments. At most `MAX_NAME_FILE_LINES`.

import { MAX_NAME_FILE_LINES } from "./limits.js";

/** The words of each line that has any. */
export function wordsOfLines(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n", MAX_NAME_FILE_LINES);
  return lines.map((line) => line.replace(/[#;].*/, "").match(/\S+/g) ?? []).filter((words) => words.length > 0);
}
