// Whom a call is about, as far as a deletion can know: by user id alone (decision: deletion). What an anonymous visitor
// did is nobody's here.

import type { Call } from "./call.js";

/** The user ids of a call, each once: of an alias both, of an anonymous call none. */
export function usersOf(call: Call): readonly string[] {
  const ids = call.type === "alias" ? [call.userId, call.previousId] : [call.userId];
  return [...new Set(ids.filter((id) => id !== undefined))];
}
