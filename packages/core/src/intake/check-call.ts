// Decides whether a call has the fields that its kind requires (spec, client library §2.2), and records that in its type: a
// checked call has its event, its group and its ids. Must not check the shape of fields; the decoder has done that.

import type { AliasCall, Call, GroupCall, IdentifyCall, PageCall, ScreenCall, TrackCall } from "../call/call.js";
import type { Refusal, RefusalCode } from "../call/refusal.js";
import { MAX_MESSAGE_ID_LENGTH } from "../limits.js";

/** A call with all required fields. */
export type CheckedCall =
  | IdentifyCall
  | (TrackCall & { readonly event: string })
  | PageCall
  | ScreenCall
  | (GroupCall & { readonly groupId: string })
  | (AliasCall & { readonly userId: string; readonly previousId: string });

export type CheckResult =
  { readonly kind: "checked"; readonly call: CheckedCall } | { readonly kind: "refused"; readonly refusal: Refusal };

/** Checks one call, and answers the first rule that it breaks. A call that passes is answered itself, not a copy. */
export function checkCall(call: Call): CheckResult {
  if (call.messageId !== undefined && call.messageId.length > MAX_MESSAGE_ID_LENGTH) {
    return refused("bad-message-id", "messageId", `at most ${String(MAX_MESSAGE_ID_LENGTH)} characters`);
  }
  switch (call.type) {
    case "identify":
    case "page":
    case "screen":
      return checkIds(call);
    case "track":
      return has(call, "event") ? checkIds(call) : refused("no-event", "event", "the name of the event");
    case "group":
      return has(call, "groupId") ? checkIds(call) : refused("no-group-id", "groupId", "the id of the group");
    case "alias":
      return checkAlias(call);
  }
}

function checkIds(call: CheckedCall): CheckResult {
  if (call.userId !== undefined || call.anonymousId !== undefined) return { kind: "checked", call };
  return refused("no-ids", "", "a userId or an anonymousId");
}

function checkAlias(call: AliasCall): CheckResult {
  if (!has(call, "userId")) return refused("no-user-id", "userId", "the new id of the user");
  if (!has(call, "previousId")) return refused("no-previous-id", "previousId", "the id to alias from");
  return { kind: "checked", call };
}

/** A type guard, so that a checked call need not be copied: every call passes through here. */
function has<C extends object, Key extends keyof C>(call: C, key: Key): call is C & Readonly<Record<Key, string>> {
  return call[key] !== undefined;
}

function refused(code: RefusalCode, path: string, expected: string): CheckResult {
  return { kind: "refused", refusal: { code, path, expected } };
}
