// Removes users from a set, and the set itself once it is empty. Returns how many users were removed.

import type { AudienceContents } from "./audiences.js";
import { countMembersUpTo } from "./members.js";

export function erase(audiences: AudienceContents, set: string, userIds: readonly string[]): number {
  const members = audiences.sets.get(set) ?? [];
  let erased = 0;
  for (const userId of userIds) {
    const place = countMembersUpTo(members, userId) - 1;
    if (members[place]?.userId !== userId) continue;
    members.splice(place, 1);
    erased += 1;
  }
  audiences.members -= erased;
  if (erased > 0 && members.length === 0) audiences.sets.delete(set);
  return erased;
}
