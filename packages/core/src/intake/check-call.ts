// Decides whether a call carries what its kind needs (spec, client library §2.2), and says so in its type: what comes
// out of here has its event, its group, its ids. Knows nothing of shape; the decoder has seen to that.

import type { AliasCall, Call, GroupCall, IdentifyCall, PageCall, ScreenCall, TrackCall } from "../call/call.js";
import type { Refusal, RefusalCode } from "../call/refusal.js";
import { MAX_MESSAGE_ID_LENGTH } from "../limits.js";

/** A call that keeps the rules. */
export type CheckedCall =
  | IdentifyCall
  | (TrackCall & { readonly event: string })
  | PageCall
  | ScreenCall
  | (GroupCall & { readonly groupId: string })
  | (AliasCall & { readonly userId: string; readonly previousId: string });

export type CheckResult =
  { readonly kind: "checked"; readonly call: CheckedCall } | { readonly kind: "refused"; readonly refusal: Refusal };

/** Checks one call. The first broken rule is the answer. */
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

/** What is found goes into the type of the call itself: each call comes through here, and none is copied for it. */
function has<C extends object, Key extends keyof C>(call: C, key: Key): call is C & Readonly<Record<Key, string>> {
  return call[key] !== undefined;
}

function refused(code: RefusalCode, path: string, expected: string): CheckResult {
  return { kind: "refused", refusal: { code, path, expected } };
}
