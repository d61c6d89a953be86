// Finds the users of a call for suppression and deletion, by their user ids alone (decision: deletion). A call with only an
// anonymousId belongs to no user.

import type { Call } from "./call.js";

/** The user ids of a call, each once: up to two for an alias, none for an anonymous call. */
export function usersOf(call: Call): readonly string[] {
  const { userId } = call;
  const former = formerUserOf(call);
  const users = userId === undefined ? [] : [userId];
  return former === undefined || former === userId ? users : [...users, former];
}

/** The second user of a call. Each kind has its case, so that no later kind is forgotten here. */
function formerUserOf(call: Call): string | undefined {
  switch (call.type) {
    case "identify":
    case "track":
    case "page":
    case "screen":
    case "group":
      return undefined;
    case "alias":
      return call.previousId;
  }
}
