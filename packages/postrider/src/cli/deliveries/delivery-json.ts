// The fields of a delivery that the commands show, read from an answer of the API. A field that is missing or of another type
// is shown as a dash, since the server may have another version.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import type { Style } from "../terminal/line.js";

const NONE = "-";

/** A field as text; a dash if it is null, absent, or neither text nor number. */
export function fieldOf(from: JsonObject, name: string): string {
  const value = from[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : NONE;
}

/** The objects of a list in an answer; none if it is no list. */
export function objectsIn(from: JsonObject, name: string): readonly JsonObject[] {
  const list = from[name];
  return Array.isArray(list) ? list.filter(isPlainObject) : [];
}

/** The style of a state of a delivery, or of the verdict on an attempt. */
export function styleOf(word: string): Style {
  return STYLES.get(word) ?? "caution";
}

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["delivered", "good"],
  ["success", "good"],
  ["dead", "bad"],
  ["refused", "bad"],
]);

/** The reason for the state of a delivery: `expired, 503`, `timeout`; a dash before the first attempt. */
export function causeOf(delivery: JsonObject): string {
  return [fieldOf(delivery, "reason"), fieldOf(delivery, "detail")].filter((text) => text !== NONE).join(", ") || NONE;
}
