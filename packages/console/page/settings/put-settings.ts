// Puts settings over the revision that was seen: if another one came first, they are refused with 412.

import { type Asked, change } from "../base/ask.js";
import type { Document } from "./document.js";

/** `over` is null before the first revision. */
export function putSettings(document: Document, over: number | null): Promise<Asked<{ readonly revision: number }>> {
  return change("PUT", "api/settings", document, { "If-Match": `"${String(over ?? 0)}"` });
}
