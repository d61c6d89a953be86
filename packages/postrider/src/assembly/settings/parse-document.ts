// Reads the text of a document of the store, and names its revision in messages.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";

/** Undefined if it is no object: another program than a server has put it. */
export function parseDocument(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A revision as messages name it. */
export function namedRevision(revision: number): string {
  return `revision ${String(revision)} of the settings in the store`;
}
