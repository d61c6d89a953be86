// Finds a user in the sets of one audience after the other: in that of its last upload, and in older ones, which say what
// destinations were told.

import type { AudienceRecord, DestinationId, Member } from "@postrider/core";
import { defined, setPrefix } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { AudienceStorage } from "../audience/audience-storage.js";
import { AUDIENCES_AT_ONCE } from "../limits.js";
import type { StoreFault } from "../fault.js";
import { findMember } from "./find-member.js";
import type { Membership } from "./user-data.js";

export interface MembershipPage {
  readonly data: readonly Membership[];
  /** The key of the last audience that was looked at; absent if there is no further one. */
  readonly next?: string;
}

type Ask = Pick<AudienceStorage, "ask">;

/** The memberships in the next `AUDIENCES_AT_ONCE` audiences, by their keys, after `after`. */
export async function findMemberships(
  storage: Ask,
  userId: string,
  after = "",
): Promise<Result<MembershipPage, StoreFault>> {
  const audiences = await storage.ask((store) => store.list());
  if (audiences.isErr()) return err(audiences.error);
  const left = audiences.value.filter(({ key }) => key > after);
  const records = left.slice(0, AUDIENCES_AT_ONCE);
  const data: Membership[] = [];
  for (const record of records) {
    const found = await membershipsIn(storage, record, userId);
    if (found.isErr()) return err(found.error);
    data.push(...found.value);
  }
  return ok({ data, ...defined({ next: left.length > records.length ? records.at(-1)?.key : undefined }) });
}

async function membershipsIn(
  storage: Ask,
  record: AudienceRecord,
  userId: string,
): Promise<Result<readonly Membership[], StoreFault>> {
  const sets = await storage.ask((store) => store.sets(setPrefix(record.key)));
  if (sets.isErr()) return err(sets.error);
  const data: Membership[] = [];
  for (const set of sets.value) {
    const found = await findMember(storage, set, userId);
    if (found.isErr()) return err(found.error);
    if (found.value !== undefined) data.push(membershipIn(record, set, found.value));
  }
  return ok(data);
}

function membershipIn(record: AudienceRecord, set: string, { userId, value }: Member): Membership {
  const { key, name, kind, current } = record;
  return {
    kind: "membership",
    audience: { key, name, kind },
    isCurrent: set === current,
    destinations: toldOf(record, set, userId),
    ...defined({ value }),
  };
}

/** The destinations whose snapshot has the user from this set. */
function toldOf({ told }: AudienceRecord, set: string, userId: string): readonly DestinationId[] {
  const isTold = (parts: (typeof told)[number]["parts"]): boolean =>
    parts.find(({ upTo }) => upTo === null || upTo >= userId)?.set === set;
  return told.filter(({ parts }) => isTold(parts)).map(({ destination }) => destination);
}
