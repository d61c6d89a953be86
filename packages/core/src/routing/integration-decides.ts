// Decides whether a call's integrations object lets a destination of this name have it (spec, client library §2.3):
// its own key if that says something, else All if boolean, else yes. Case sensitive; inherited keys say nothing. What a
// batch shares lies under it, and is asked only for keys that the call does not have.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";

/** The key that stands for every destination. No destination may have it as its name. */
export const ALL_DESTINATIONS = "All";

/** `shared` are the integrations of the batch. */
export function integrationDecides(integrations: JsonObject | undefined, name: string, shared?: JsonObject): boolean {
  if (integrations === undefined && shared === undefined) return true;
  const own = fieldOf(name, integrations, shared);
  if (typeof own === "boolean") return own;
  // An object holds options for the destination, and so switches it on. Anything else says nothing.
  if (isPlainObject(own)) return true;
  const all = fieldOf(ALL_DESTINATIONS, integrations, shared);
  return typeof all === "boolean" ? all : true;
}

/**
 * Whether integrations say nothing: absent, null, or the empty list as which PHP writes an empty map. A list with something in
 * it was meant to say something, and is refused like any value that is no object.
 */
export function isAbsentIntegrations(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const OTHER_CASES = ["all", "ALL", "aLL", "alL", "aLl", "AlL", "ALl"] as const;

/**
 * Whether a caller has most likely meant All and written it in another case, as analytics-go's DisableAll does. It stays a
 * destination's name; this is for a warning.
 */
export function hasMisspeltAll(integrations: JsonObject | undefined): boolean {
  if (integrations === undefined || Object.hasOwn(integrations, ALL_DESTINATIONS)) return false;
  return OTHER_CASES.some((name) => Object.hasOwn(integrations, name) && typeof integrations[name] === "boolean");
}

function fieldOf(name: string, first: JsonObject | undefined, then: JsonObject | undefined): unknown {
  if (first !== undefined && Object.hasOwn(first, name)) return first[name];
  return then !== undefined && Object.hasOwn(then, name) ? then[name] : undefined;
}
