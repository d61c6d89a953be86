// Lays what a batch says for all of its calls under each of them: context and integrations, shallow, the call's own
// keys win (decision: limits of the way in). Neither side is changed.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import { isAbsentIntegrations } from "../routing/integration-decides.js";

/** What a batch says for all of its calls. */
export interface SharedFields {
  readonly context?: unknown;
  readonly integrations?: unknown;
}

/** The call with what it shares: itself, where that is nothing. What is no object in it is left for the decoder to refuse. */
export function mergeShared(call: JsonObject, shared: SharedFields): JsonObject {
  if (!isPlainObject(shared.context) && !isPlainObject(shared.integrations)) return call;
  const context = mergeField(call["context"], shared.context);
  const own = call["integrations"];
  const integrations = mergeField(isAbsentIntegrations(own) ? undefined : own, shared.integrations);
  return {
    ...call,
    ...(context === undefined ? {} : { context }),
    ...(integrations === undefined ? {} : { integrations }),
  };
}

function mergeField(own: unknown, shared: unknown): unknown {
  if (!isPlainObject(shared)) return own;
  if (own === undefined || own === null) return shared;
  return isPlainObject(own) ? { ...shared, ...own } : own;
}
