// The sets of members: each an array in the order of user ids, read from anywhere by halving.

import type { Member } from "@postrider/core";
import { storeError } from "../store-error.js";
import type { AudienceBounds } from "./bounds.js";
import type { Audiences } from "./audiences.js";

/** How many a read answers, and a drop removes, at a time. */
const PAGE = 1_000;

export function append(audiences: Audiences, bounds: AudienceBounds, added: Added): void {
  if (added.members.length === 0) return;
  if (audiences.members + added.members.length > bounds.maxMembers)
    throw storeError("full", "the memory store has all the members that it takes");
  const members = audiences.sets.get(added.set) ?? [];
  if (!isBeyond(members, added.members))
    throw storeError("unavailable", `${added.set} holds members beyond those that were to be added to its end`);
  for (const member of added.members) members.push(copy(member));
  audiences.sets.set(added.set, members);
  audiences.members += added.members.length;
}

export interface Added {
  readonly set: string;
  readonly members: readonly Member[];
}

function isBeyond(held: readonly Member[], added: readonly Member[]): boolean {
  const [last, first] = [held.at(-1), added[0]];
  return last === undefined || first === undefined || last.userId < first.userId;
}

function copy({ userId, value }: Member): Member {
  return value === undefined ? { userId } : { userId, value };
}

export function read({ sets }: Audiences, set: string, after: string | undefined): readonly Member[] {
  const members = sets.get(set) ?? [];
  const start = after === undefined ? 0 : countUpTo(members, after);
  return members.slice(start, start + PAGE).map(copy);
}

/** How many members come before `userId` or are it. */
function countUpTo(members: readonly Member[], userId: string): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const member = members[middle];
    if (member !== undefined && member.userId <= userId) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function namesOf({ sets }: Audiences, prefix: string): readonly string[] {
  return [...sets.keys()].filter((name) => name.startsWith(prefix)).toSorted((one, other) => (one < other ? -1 : 1));
}

/** From the end, so that what is left is still in order. */
export function drop(audiences: Audiences, set: string): boolean {
  const members = audiences.sets.get(set);
  if (members === undefined) return true;
  audiences.members -= members.splice(-PAGE).length;
  if (members.length > 0) return false;
  return audiences.sets.delete(set);
}

export function erase(audiences: Audiences, set: string, userIds: readonly string[]): number {
  const members = audiences.sets.get(set) ?? [];
  let erased = 0;
  for (const userId of userIds) {
    const place = countUpTo(members, userId) - 1;
    if (members[place]?.userId !== userId) continue;
    members.splice(place, 1);
    erased += 1;
  }
  audiences.members -= erased;
  if (erased > 0 && members.length === 0) audiences.sets.delete(set);
  return erased;
}
