// Decides whether a call has the fields that its kind requires (spec, client library §2.2). The type of a checked call says so: it has an
// event, a group and ids where they are required. The decoder has checked the shape of the fields.

import type { AliasCall, Call, GroupCall, IdentifyCall, PageCall, ScreenCall, TrackCall } from "../call/call.js";
import { refuseCall, type RefusedCall } from "../call/refuse-call.js";
import { MAX_MESSAGE_ID_LENGTH } from "../limits.js";

/** A call with all required fields. */
export type CheckedCall =
  | IdentifyCall
  | (TrackCall & { readonly event: string })
  | PageCall
  | ScreenCall
  | (GroupCall & { readonly groupId: string })
  | (AliasCall & { readonly userId: string; readonly previousId: string });

/** The call with all required fields, or its refusal. */
type CheckResult = { readonly kind: "ok"; readonly call: CheckedCall } | RefusedCall;

/** Checks one call. The result has the call itself, not a copy, or the refusal for the first rule that the call breaks. */
export function checkCall(call: Call): CheckResult {
  if (call.messageId !== undefined && call.messageId.length > MAX_MESSAGE_ID_LENGTH) {
    return refuseCall("bad-message-id", "messageId", `at most ${String(MAX_MESSAGE_ID_LENGTH)} characters`);
  }
  switch (call.type) {
    case "identify":
    case "page":
    case "screen":
      return checkIds(call);
    case "track":
      return has(call, "event") ? checkIds(call) : refuseCall("no-event", "event", "the name of the event");
    case "group":
      return has(call, "groupId") ? checkIds(call) : refuseCall("no-group-id", "groupId", "the id of the group");
    case "alias":
      return checkAlias(call);
  }
}

function checkIds(call: CheckedCall): CheckResult {
  if (call.userId !== undefined || call.anonymousId !== undefined) return { kind: "ok", call };
  return refuseCall("no-ids", "", "a userId or an anonymousId");
}

function checkAlias(call: AliasCall): CheckResult {
  if (!has(call, "userId")) return refuseCall("no-user-id", "userId", "the new id of the user");
  if (!has(call, "previousId")) return refuseCall("no-previous-id", "previousId", "the former id of the user");
  return { kind: "ok", call };
}

/** True if a field is present. A type guard, so that a checked call, which every call becomes, need not be copied. */
function has<C extends object, Key extends keyof C>(call: C, key: Key): call is C & Readonly<Record<Key, string>> {
  return call[key] !== undefined;
}
