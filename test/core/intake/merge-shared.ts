// The plain way to merge the shared fields of a batch into a call: shallow, and the call's own keys win (decision: request limits). A reference for core, which gets the same result without building the merged call.

import type { JsonObject } from "@postrider/core";
import { isPlainObject, type SharedFields } from "@postrider/core/engine";

/** The call with the shared fields; itself if there are none. Its own values that are not objects stay, for the decoder. */
export function mergeShared(call: JsonObject, shared: SharedFields): JsonObject {
  if (!isPlainObject(shared.context) && !isPlainObject(shared.integrations)) return call;
  const context = mergeField(call["context"], shared.context);
  const integrations = mergeField(call["integrations"], shared.integrations);
  return {
    ...call,
    ...(context === undefined ? {} : { context }),
    ...(integrations === undefined ? {} : { integrations }),
  };
}

function mergeField(own: unknown, shared: unknown): unknown {
  if (!isPlainObject(shared)) return own;
  if (own === undefined || own === null || (Array.isArray(own) && own.length === 0)) return shared;
  return isPlainObject(own) ? { ...shared, ...own } : own;
}
