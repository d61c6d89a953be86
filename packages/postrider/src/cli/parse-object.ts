// Reads a text that should be a JSON object, from somebody who may have sent anything.

import { findTooDeep } from "@postrider/codec";
import { isPlainObject, type JsonObject } from "@postrider/core";

/** An answer has a few levels around a message, which has 64. */
const MAX_LEVELS = 128;

/** Undefined if the text is no JSON, no object, or one that is nested too deeply to be written again. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && findTooDeep(value, MAX_LEVELS) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
