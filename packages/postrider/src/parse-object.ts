// Reads a text that should be a JSON object, from somebody who may have sent anything.

import { isPlainObject, type JsonObject } from "@postrider/core";

/** Undefined if the text is no JSON, or no object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
