// Reads a call by all rules that need no settings: its size with what its batch shares, the shape of its fields, and what its kind
// requires. Does not know where the call goes, nor when it is stored.

import type { CallKind, JsonObject, Refusal } from "@postrider/core";
import { checkCall, type CheckedCall, checkMerged, type SharedObjects } from "@postrider/core/engine";
import { decodeCall } from "./decode-call.js";

/** A call that may be stored, or its refusal. */
export type ReceivedCall =
  | {
      readonly kind: "ok";
      readonly call: CheckedCall;
      /** The merged context as JSON, if the batch of the call shares a context. */
      readonly context: string | undefined;
      /** The UTF-16 units of text that were read. */
      readonly seen: number;
      /** The paths of imprecise numbers, at most three; undefined if there are none. */
      readonly imprecise: readonly string[] | undefined;
      /** The names of dates that cannot be read; undefined if there are none. */
      readonly unread: readonly string[] | undefined;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly seen: number };

/** Reads one call. Throws what a getter or a `toJSON` of the call throws. `kind` is the kind that the path of the request gives. */
export function readReceivedCall(written: JsonObject, kind?: CallKind, shared?: SharedObjects): ReceivedCall {
  const merged = checkMerged(written, shared);
  if (merged.kind === "refused") return merged;
  const { context, seen, imprecise } = merged;
  const decoded = decodeCall(written, kind);
  if (decoded.kind === "refused") return { ...decoded, seen };
  const checked = checkCall(decoded.call);
  if (checked.kind === "refused") return { ...checked, seen };
  return { kind: "ok", call: checked.call, context, seen, imprecise, unread: decoded.unread };
}
