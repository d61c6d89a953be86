// The plain way to lay what a batch says for all of its calls under each of them: the call's own keys win, shallow (decision:
// limits of the way in). What core does without ever making the merged call has to come to the same.

import { isAbsentIntegrations, isPlainObject, type JsonObject, type SharedFields } from "@postrider/core";

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
