// Reads a set in the order of its user ids, one page per call.

import type { Member } from "@postrider/core";
import type { AudienceContents } from "./audiences.js";
import { copyMember, countMembersUpTo, PAGE_MEMBERS } from "./members.js";

export function read({ sets }: AudienceContents, set: string, after: string | undefined): readonly Member[] {
  const members = sets.get(set) ?? [];
  const start = after === undefined ? 0 : countMembersUpTo(members, after);
  return members.slice(start, start + PAGE_MEMBERS).map(copyMember);
}
