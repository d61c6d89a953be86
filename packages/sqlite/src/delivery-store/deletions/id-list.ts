// Writes and reads a list of ids in one column, as JSON.

import { createStoreError } from "@postrider/core";
import { toText } from "../../rows/text.js";

/** The text of a list of ids for a column. To read the list, use `readText`, then `readIds`. */
export function writeIds(ids: readonly string[]): string {
  return toText(JSON.stringify(ids));
}

/** Parses a column that was read with `readText`. */
export function readIds(json: string): readonly string[] {
  const ids = parse(json);
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids;
  throw createStoreError("corrupt", "SQLite: a list of ids is not what was stored");
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
