// Parses an untrusted text as a JSON object.

import { findTooDeep } from "@postrider/relay/settings";
import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";

/** A message has up to 64 levels, and an answer adds a few around it. */
const MAX_LEVELS = 128;

/** Undefined if the text is not JSON, not an object, or nested too deeply to be written as JSON again. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && findTooDeep(value, MAX_LEVELS) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
