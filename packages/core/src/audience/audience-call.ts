// Builds the call that reports the change of one member to a destination (spec, webhook destination §1; decision: audiences).
// An audience sends true or false. A computed trait sends its value, or null once the user has no value.

import type { IdentifyCall, JsonObject, TrackCall } from "../call/call.js";
import type { AudienceRecord } from "./audience.js";
import type { MemberChange } from "./member.js";

/** A call about one user with every field that `checkCall` requires. */
type AudienceCall = (IdentifyCall | (TrackCall & { readonly event: string })) & { readonly userId: string };

/** Property names that the track calls use themselves. An audience must not have one of them as its key. */
export const RESERVED_AUDIENCE_KEYS: ReadonlySet<string> = new Set(["audience_key", "trait_key"]);

/**
 * The call for a change. An identify call has the value in `traits[key]`. A track call has the value in `properties[key]`, and
 * the event "Audience Entered", "Audience Exited" or "Trait Computed". `change.value` must be JSON text or absent.
 */
export function audienceCall(audience: AudienceRecord, change: MemberChange): AudienceCall {
  const { key, kind, sendsAs } = audience;
  const { userId } = change;
  const trait = { [key]: kind === "audience" ? change.kind !== "departed" : valueOf(change) };
  const context = { personas: personasOf(audience) };
  if (sendsAs === "identify") return { type: "identify", userId, traits: trait, context };
  return {
    type: "track",
    userId,
    event: eventOf(audience, change),
    properties: { [`${kind}_key`]: key, ...trait },
    context,
  };
}

function valueOf({ value }: MemberChange): unknown {
  return value === undefined ? null : JSON.parse(value);
}

function eventOf({ kind }: AudienceRecord, change: MemberChange): string {
  if (kind === "trait") return "Trait Computed";
  return change.kind === "departed" ? "Audience Exited" : "Audience Entered";
}

/** `context.personas`, in the form in which receivers know it from the public service. */
function personasOf({ kind, id, key }: AudienceRecord): JsonObject {
  return { computation_class: kind, computation_id: id, computation_key: key, namespace: SPACE, space_id: SPACE };
}

/** The id of the space. The public service has several spaces; Postrider has only this one. */
const SPACE = "spa_postrider";
