// Changes sets of members: adds members to the end of a set, removes a set, a bounded number of members per call, and erases users. A
// set is removed once it is empty. Rejects members that do not come after those of the set.

import { createStoreError, type Member } from "@postrider/core";
import type { AudienceContents, MemoryAudienceStoreBounds } from "./contents.js";
import { copyMember, PAGE_MEMBERS, countMembersUpTo } from "./reads.js";

export function append(audiences: AudienceContents, bounds: MemoryAudienceStoreBounds, added: MembersToAppend): void {
  if (added.members.length === 0) return;
  if (audiences.members + added.members.length > bounds.maxMembers)
    throw createStoreError("full", "the memory store is at its bound of members");
  const members = audiences.sets.get(added.set) ?? [];
  if (!isBeyond(members, added.members))
    throw createStoreError("unavailable", `${added.set} holds members that do not come before the added members`);
  for (const member of added.members) members.push(copyMember(member));
  audiences.sets.set(added.set, members);
  audiences.members += added.members.length;
}

interface MembersToAppend {
  readonly set: string;
  readonly members: readonly Member[];
}

function isBeyond(held: readonly Member[], added: readonly Member[]): boolean {
  const [last, first] = [held.at(-1), added[0]];
  return last === undefined || first === undefined || last.userId < first.userId;
}

/** Removes members from the end of the set; returns true once the set is gone. */
export function drop(audiences: AudienceContents, set: string): boolean {
  const members = audiences.sets.get(set);
  if (members === undefined) return true;
  audiences.members -= members.splice(-PAGE_MEMBERS).length;
  if (members.length > 0) return false;
  return audiences.sets.delete(set);
}

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
