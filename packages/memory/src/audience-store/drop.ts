// Removes a set, a bounded number of members per call.

import type { AudienceContents } from "./audiences.js";
import { PAGE_MEMBERS } from "./members.js";

/** Removes members from the end of the set; returns true once the set is gone. */
export function drop(audiences: AudienceContents, set: string): boolean {
  const members = audiences.sets.get(set);
  if (members === undefined) return true;
  audiences.members -= members.splice(-PAGE_MEMBERS).length;
  if (members.length > 0) return false;
  return audiences.sets.delete(set);
}
