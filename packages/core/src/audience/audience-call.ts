// What a destination hears of one user (spec, webhook destination §1; decision: audiences): an identify call with the trait,
// or a track call. An audience says true or false, a computed trait its value, or null for a user that has none any more.

import type { IdentifyCall, JsonObject, TrackCall } from "../call/call.js";
import type { AudienceRecord } from "./audience.js";
import type { MemberChange } from "./member.js";

/** A call about one user, with all that it needs. */
export type AudienceCall = (IdentifyCall | (TrackCall & { readonly event: string })) & { readonly userId: string };

/** The keys that messages need for themselves: no audience may have one of them. */
export const RESERVED_AUDIENCE_KEYS: ReadonlySet<string> = new Set(["audience_key", "trait_key"]);

/** The call that tells of a change. */
export function audienceCall(audience: AudienceRecord, change: MemberChange): AudienceCall {
  const { key, kind, sendsAs } = audience;
  const { userId } = change;
  const told = { [key]: kind === "audience" ? change.kind !== "departed" : valueOf(change) };
  const context = { personas: personasOf(audience) };
  if (sendsAs === "identify") return { type: "identify", userId, traits: told, context };
  return {
    type: "track",
    userId,
    event: eventOf(audience, change),
    properties: { [`${kind}_key`]: key, ...told },
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

/** What receivers of the public service know an audience by. */
function personasOf({ kind, id, key }: AudienceRecord): JsonObject {
  return { computation_class: kind, computation_id: id, computation_key: key, namespace: SPACE, space_id: SPACE };
}

/** There is one space for all. */
const SPACE = "spa_postrider";
