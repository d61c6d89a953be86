// Decides whether the integrations object of a call allows a destination with this name (spec, client library §2.3): by the
// value of that name if it is a boolean or an object, else by `All` if that is a boolean, else yes. Case sensitive; only own
// keys count. Keys that the call's object does not have are read from that of the batch.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";

/** The key for all destinations. It is not allowed as the name of a destination. */
export const ALL_DESTINATIONS = "All";

/** True if a destination called `name` gets the call. `shared` is the integrations object of the batch. */
export function isAllowedByIntegrations(
  integrations: JsonObject | undefined,
  name: string,
  shared?: JsonObject,
): boolean {
  if (integrations === undefined && shared === undefined) return true;
  const value = fieldOf(name, integrations, shared);
  if (typeof value === "boolean") return value;
  // An object has options for the destination, and so allows it. Any other value is ignored.
  if (isPlainObject(value)) return true;
  const fallback = fieldOf(ALL_DESTINATIONS, integrations, shared);
  return typeof fallback === "boolean" ? fallback : true;
}

const OTHER_CASES = ["all", "ALL", "aLL", "alL", "aLl", "AlL", "ALl"] as const;

/**
 * True if the object has a boolean under another spelling of `All`, such as `all`, as DisableAll of analytics-go writes it. Such a key
 * has no effect on all destinations: it is taken for the name of one. The caller of this function warns about it.
 */
export function hasMisspeltAll(integrations: JsonObject | undefined): boolean {
  if (integrations === undefined || Object.hasOwn(integrations, ALL_DESTINATIONS)) return false;
  return OTHER_CASES.some((name) => Object.hasOwn(integrations, name) && typeof integrations[name] === "boolean");
}

function fieldOf(name: string, integrations: JsonObject | undefined, shared: JsonObject | undefined): unknown {
  if (integrations !== undefined && Object.hasOwn(integrations, name)) return integrations[name];
  return shared !== undefined && Object.hasOwn(shared, name) ? shared[name] : undefined;
}
