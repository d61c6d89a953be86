// Decides whether a call passes once the context and integrations of its batch are merged into it, key by key and without
// merging nested objects (decision: request limits). Never builds the merged call: adds bounds of the sizes of the call and of
// the shared fields, which were scanned once for the batch. Writes a call as JSON only if the sum is above the limit.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { scanCall } from "./check-json.js";
import { mergeObject, refusalOfMerged } from "./merge-object.js";
import { tooLarge, utf8Length } from "./measure.js";
import type { JsonText, SharedObject, SharedObjects } from "./shared-object.js";

export type CheckMergedResult =
  | {
      readonly kind: "ok";
      /** The merged context as JSON text; undefined if no context was merged. */
      readonly context: string | undefined;
      /** The cost of the check: UTF-16 units of texts and keys, plus about 48 for each value. */
      readonly cost: number;
      /** The paths of imprecise numbers, at most three of the call and of each shared field; undefined if there are none. */
      readonly imprecise: readonly string[] | undefined;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly cost: number };

/**
 * Checks one call with the shared fields of its batch. The result is that of checking the merged call, except that a rule that
 * the call's own fields break is reported first. Throws if reading a host's object throws.
 */
export function checkMerged(call: JsonObject, shared: SharedObjects = {}): CheckMergedResult {
  const { refusal, maxBytes, cost, imprecise } = scanCall(call);
  const broken = refusal ?? sharedRefusalOf(call, shared);
  if (broken !== undefined) return { kind: "refused", refusal: broken, cost };
  const context = shared.context && mergeObject(shared.context, call["context"]);
  const mayBeTooLarge = maxBytes + boundOf(shared) > MAX_CALL_BYTES;
  if (mayBeTooLarge && bytesOf(call, shared, context) > MAX_CALL_BYTES) {
    return { kind: "refused", refusal: tooLarge(), cost };
  }
  return { kind: "ok", context: context?.text, cost, imprecise: withShared(imprecise, call, shared) };
}

/** The paths of imprecise numbers of a call, and of the shared fields that the call does not have itself. */
function withShared(
  callPaths: readonly string[] | undefined,
  call: JsonObject,
  { context, integrations }: SharedObjects,
): readonly string[] | undefined {
  if (context?.imprecise === undefined && integrations?.imprecise === undefined) return callPaths;
  const paths = [
    ...(callPaths ?? []),
    ...impreciseBeside(context, call["context"]),
    ...impreciseBeside(integrations, call["integrations"]),
  ];
  return paths.length === 0 ? undefined : paths;
}

function impreciseBeside(shared: SharedObject | undefined, callObject: unknown): readonly string[] {
  if (shared?.imprecise === undefined || mergeObject(shared, callObject) === undefined) return [];
  const isOwn = (key: string): boolean => isPlainObject(callObject) && Object.hasOwn(callObject, key);
  return shared.imprecise.filter(({ key }) => !isOwn(key)).map(({ path }) => path);
}

function sharedRefusalOf(call: JsonObject, { context, integrations }: SharedObjects): Refusal | undefined {
  return (
    (context && refusalOfMerged(context, call["context"])) ??
    (integrations && refusalOfMerged(integrations, call["integrations"]))
  );
}

/** The bytes of a shared field without its content: the name in quotes, colon, comma and braces. */
const FRAME_BYTES = '"integrations":{},'.length;

/** An upper bound of the bytes that the shared fields add to a call. */
function boundOf({ context, integrations }: SharedObjects): number {
  return (context?.bytes ?? 0) + (integrations?.bytes ?? 0) + 2 * FRAME_BYTES;
}

/** The exact bytes of a merged call with any field. Only its own fields are written; shared ones are measured already. */
function bytesOf(call: JsonObject, shared: SharedObjects, context: JsonText | undefined): number {
  const integrations = shared.integrations && mergeObject(shared.integrations, call["integrations"]);
  const ownJson = JSON.stringify({
    ...call,
    ...(context === undefined ? {} : { context: undefined }),
    ...(integrations === undefined ? {} : { integrations: undefined }),
  });
  const fields = fieldBytes("context", context) + fieldBytes("integrations", integrations);
  // Each field was counted with a comma; if the call has no other fields, the first one needs none.
  return utf8Length(ownJson) + fields - (ownJson === "{}" ? 1 : 0);
}

function fieldBytes(name: keyof SharedObjects, field: JsonText | undefined): number {
  return field === undefined ? 0 : `"${name}":,`.length + field.bytes;
}
