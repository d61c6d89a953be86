// Decides whether a call's integrations object lets a destination of this name have it (spec, client library §2.3):
// its own key if that says something, else All if boolean, else yes. Case sensitive; inherited keys say nothing.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";

/** The key that stands for every destination. No destination may have it as its name. */
export const ALL_DESTINATIONS = "All";

export function integrationDecides(integrations: JsonObject | undefined, name: string): boolean {
  if (integrations === undefined) return true;
  const own = Object.hasOwn(integrations, name) ? integrations[name] : undefined;
  if (typeof own === "boolean") return own;
  // An object holds options for the destination, and so switches it on. Anything else says nothing.
  if (isPlainObject(own)) return true;
  const all = Object.hasOwn(integrations, ALL_DESTINATIONS) ? integrations[ALL_DESTINATIONS] : undefined;
  return typeof all === "boolean" ? all : true;
}
