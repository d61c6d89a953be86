// Builders for the tests of audiences: members from short texts, a record with sensible values, lists cut into pages.

import type { AudienceRecord, DestinationId, EpochMs, Member, PageCursor } from "@postrider/core";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";

export const CRM = "crm" as DestinationId;
export const MAIL = "mail" as DestinationId;

/** Members from a text: `a b=1` is a member a, and a member b with the value 1. */
export function membersOf(text: string): readonly Member[] {
  const words = text.split(" ").filter((word) => word !== "");
  return words.map((word) => {
    const [userId = "", value] = word.split("=");
    return value === undefined ? { userId } : { userId, value };
  });
}

export function textOf(members: readonly Member[]): string {
  return members.map(({ userId, value }) => (value === undefined ? userId : `${userId}=${value}`)).join(" ");
}

export function audience(changes: Partial<AudienceRecord> = {}): AudienceRecord {
  return {
    name: "VIP",
    kind: "audience",
    sendsAs: "identify",
    destinations: [CRM],
    key: "vip",
    id: "aud_1",
    createdAt: 1_000 as EpochMs,
    revision: 1,
    syncs: 0,
    running: null,
    last: null,
    told: [],
    ...changes,
  };
}

/** Few users, so that lists overlap; some whose order differs from that of their UTF-8 bytes, and lone surrogates. */
export function users(): fc.Arbitrary<string> {
  const few = fc.constantFrom(
    "a",
    "b",
    "c",
    "d",
    "e",
    "Z",
    "\u{1f600}",
    "\uffff",
    "\ud800",
    "\udc00",
    "__proto__",
    "é",
    "e\u0301",
  );
  return fc.oneof({ weight: 4, arbitrary: few }, nastyStrings());
}

/** Members in any order, with repeats, some with values. */
export function anyMembers(): fc.Arbitrary<readonly Member[]> {
  const value = fc.option(fc.constantFrom("1", "2", '"x"'), { nil: undefined });
  const member = fc
    .tuple(users(), value)
    .map(([userId, given]) => (given === undefined ? { userId } : { userId, value: given }));
  return fc.array(member, { maxLength: 30 });
}

/** A list that is read page by page; the pages have the lengths `sizes`, in turn. */
export function pager(
  members: readonly Member[],
  sizes: readonly number[],
): (reading: PageCursor | undefined) => PageCursor {
  let from = 0;
  let turn = 0;
  return (reading) => {
    if (reading !== undefined && (reading.page.length === 0 || reading.from < reading.page.length)) return reading;
    const size = Math.max(1, sizes[turn % Math.max(1, sizes.length)] ?? 1);
    turn += 1;
    from += size;
    return { page: members.slice(from - size, from), from: 0 };
  };
}
