// Whom a call is about, as far as a deletion can know: by user id alone (decision: deletion). What an anonymous visitor
// did is nobody's here.

import type { Call } from "./call.js";

/** The user ids of a call, each once: of an alias both, of an anonymous call none. */
export function usersOf(call: Call): readonly string[] {
  const { userId } = call;
  const former = call.type === "alias" ? call.previousId : undefined;
  const users = userId === undefined ? [] : [userId];
  return former === undefined || former === userId ? users : [...users, former];
}
