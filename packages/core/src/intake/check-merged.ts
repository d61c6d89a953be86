// Decides whether a call may pass together with what its batch shares (decision: limits of the way in): each side is looked
// at by itself, the shared one long ago, and their sizes are added up. What lies under a call's own fields is its shared
// context and integrations, shallow. Says what checking the merged call whole would say, but that it names an offence of
// the call's own first. A call is written only where its size is in doubt.

import type { JsonObject } from "../call/call.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { lookAtCall } from "./check-json.js";
import { layUnder, refusalBehind } from "./lay-under.js";
import { tooLarge, utf8Length } from "./measure.js";
import type { JsonText, ReadShared } from "./read-shared.js";

export type CheckedMerge =
  | {
      readonly kind: "merged";
      /** The context that the call has now, as JSON; undefined where none is shared. */
      readonly context: string | undefined;
      /** How much was looked at. */
      readonly seen: number;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly seen: number };

/** Checks one call with what its batch shares, if that is anything. */
export function checkMerged(call: JsonObject, shared: ReadShared = {}): CheckedMerge {
  const { refusal, atMostBytes, seen } = lookAtCall(call);
  const offence = refusal ?? offenceOf(call, shared);
  if (offence !== undefined) return { kind: "refused", refusal: offence, seen };
  const context = shared.context && layUnder(shared.context, call["context"]);
  const isDoubtful = atMostBytes + boundOf(shared) > MAX_CALL_BYTES;
  if (isDoubtful && bytesOf(call, shared, context) > MAX_CALL_BYTES) {
    return { kind: "refused", refusal: tooLarge(), seen };
  }
  return { kind: "merged", context: context?.text, seen };
}

function offenceOf(call: JsonObject, { context, integrations }: ReadShared): Refusal | undefined {
  return (
    (context && refusalBehind(context, call["context"])) ??
    (integrations && refusalBehind(integrations, call["integrations"]))
  );
}

/** What a field adds beside its fields: its name in quotes, colon, comma and braces. */
const FRAME_BYTES = '"integrations":{},'.length;

/** What is shared adds no more than this to a call. */
function boundOf({ context, integrations }: ReadShared): number {
  return (context?.bytes ?? 0) + (integrations?.bytes ?? 0) + 2 * FRAME_BYTES;
}

/** The exact bytes of the whole call: what it brings is written, what is shared is not. */
function bytesOf(call: JsonObject, shared: ReadShared, context: JsonText | undefined): number {
  const integrations = shared.integrations && layUnder(shared.integrations, call["integrations"]);
  const own = JSON.stringify({
    ...call,
    ...(context === undefined ? {} : { context: undefined }),
    ...(integrations === undefined ? {} : { integrations: undefined }),
  });
  const fields = fieldBytes("context", context) + fieldBytes("integrations", integrations);
  // Each field was counted with a comma, and one of them needs none where the call has nothing else.
  return utf8Length(own) + fields - (own === "{}" && fields > 0 ? 1 : 0);
}

function fieldBytes(name: keyof ReadShared, field: JsonText | undefined): number {
  return field === undefined ? 0 : `"${name}":,`.length + field.bytes;
}
