// Adds members to the end of a set. Rejects members that do not come after those of the set.

import { createStoreError, type Member } from "@postrider/core";
import type { AudienceContents } from "./audiences.js";
import type { MemoryAudienceStoreBounds } from "./bounds.js";
import { copyMember } from "./members.js";

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

export interface MembersToAppend {
  readonly set: string;
  readonly members: readonly Member[];
}

function isBeyond(held: readonly Member[], added: readonly Member[]): boolean {
  const [last, first] = [held.at(-1), added[0]];
  return last === undefined || first === undefined || last.userId < first.userId;
}
