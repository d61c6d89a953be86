// Changes sets of members: appends members to a set, removes a set in steps of a bounded number of members, and erases users. A set
// without members is removed. Rejects members that do not come after those of the set.

import { createStoreError, type Member } from "@postrider/core";
import type { AudienceContents, MemoryAudienceStoreBounds } from "./contents.js";
import { copyMember, PAGE_MEMBERS, countMembersUpTo } from "./reads.js";

export function append(audiences: AudienceContents, bounds: MemoryAudienceStoreBounds, added: MembersToAppend): void {
  if (added.members.length === 0) return;
  if (audiences.memberCount + added.members.length > bounds.maxMembers)
    throw createStoreError("full", "the memory store is at its bound of members");
  const members = audiences.sets.get(added.set) ?? [];
  if (!comeAfter(members, added.members))
    throw createStoreError("unavailable", `${added.set} holds members that do not come before the added members`);
  for (const member of added.members) members.push(copyMember(member));
  audiences.sets.set(added.set, members);
  audiences.memberCount += added.members.length;
}

interface MembersToAppend {
  readonly set: string;
  readonly members: readonly Member[];
}

function comeAfter(members: readonly Member[], added: readonly Member[]): boolean {
  const lastMember = members.at(-1);
  const firstAdded = added[0];
  return lastMember === undefined || firstAdded === undefined || lastMember.userId < firstAdded.userId;
}

/** Removes the last `PAGE_MEMBERS` members of the set; returns true once the set is gone. */
export function drop(audiences: AudienceContents, set: string): boolean {
  const members = audiences.sets.get(set);
  if (members === undefined) return true;
  audiences.memberCount -= members.splice(-PAGE_MEMBERS).length;
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
  audiences.memberCount -= erased;
  if (erased > 0 && members.length === 0) audiences.sets.delete(set);
  return erased;
}
