// Reads all that the stores hold of one user, part by part and page by page. Decides the order of the parts; changes nothing, and
// keeps nothing between two pages. Looks for the user in older sets of an audience too, which say what destinations were told.

import type { DeletionRecord, DeliveryRecord, AudienceRecord, DestinationId, Member } from "@postrider/core";
import { defined, setPrefix } from "@postrider/core/engine";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { AudienceStorage } from "../audiences/audience-storage.js";
import {
  USER_DELIVERIES_AT_ONCE,
  USER_REQUESTS_AT_ONCE,
  SUPPRESSED_AT_ONCE,
  AUDIENCES_AT_ONCE,
  MAX_LOOK_UP_PAGES,
} from "../limits.js";
import { toRelayFault, type StoreFault } from "../fault.js";
import type { AskDeletions, Storage } from "../commits/storage.js";
import type { UserDataCursor, UserDataPage, UserDataRequests, Membership } from "../requests.js";

const HIGHEST = "\uffff";

const FIRST_SURROGATE = 0xd800;

const LAST_SURROGATE = 0xdfff;

type AudienceReads = Pick<AudienceStorage, "ask" | "records">;

interface UserDataContext {
  readonly storage: Pick<Storage, "ask" | "askDeletions" | "orStalled">;
  readonly audienceStorage: AudienceReads | undefined;
}

export function createUserData(context: UserDataContext): UserDataRequests {
  return {
    userData: ({ userId, after = { part: "suppression" } }) =>
      context.storage.orStalled(() => new ResultAsync(pageOf(context, userId, after)).mapErr(toRelayFault)),
  };
}

type PageResult = Promise<Result<UserDataPage, StoreFault>>;

function pageOf({ storage, audienceStorage }: UserDataContext, userId: string, cursor: UserDataCursor): PageResult {
  const { askDeletions } = storage;
  switch (cursor.part) {
    case "suppression":
      return askDeletions === undefined
        ? emptyPage({ part: "memberships" })
        : suppression(askDeletions, userId, cursor.after);
    case "requests":
      return askDeletions === undefined
        ? emptyPage({ part: "memberships" })
        : requests(askDeletions, userId, cursor.after);
    case "memberships":
      return audienceStorage === undefined
        ? emptyPage({ part: "deliveries" })
        : memberships(audienceStorage, userId, cursor.after);
    case "deliveries":
      return deliveries(storage, userId, cursor.after);
  }
}

function emptyPage(next: UserDataCursor): PageResult {
  return Promise.resolve(ok({ data: [], next }));
}

async function suppression(ask: AskDeletions, userId: string, after: string | undefined): PageResult {
  const limit = SUPPRESSED_AT_ONCE;
  const page = await ask((deletions) => deletions.suppressed({ limit, ...defined({ after }) }));
  return page.map((users): UserDataPage => {
    const last = users.at(-1);
    const isSuppressed = users.includes(userId);
    if (isSuppressed || users.length < limit || last === undefined) {
      return { data: isSuppressed ? [{ kind: "suppression" }] : [], next: { part: "requests" } };
    }
    return { data: [], next: { part: "suppression", after: last } };
  });
}

async function requests(
  ask: AskDeletions,
  userId: string,
  after: Extract<UserDataCursor, { readonly part: "requests" }>["after"],
): PageResult {
  const limit = USER_REQUESTS_AT_ONCE;
  const page = await ask((deletions) => deletions.list({ unfinished: true, limit, ...defined({ after }) }));
  if (page.isErr()) return err(page.error);
  const { deletions, more } = page.value;
  const openRequests = await findEach(deletions, ({ id }) => ask((store) => store.find(id)));
  const last = deletions.at(-1);
  const next: UserDataCursor =
    more && last !== undefined ? { part: "requests", after: last.id } : { part: "memberships" };
  return openRequests.map((records) => ({ data: records.flatMap((record) => requestOf(record, userId)), next }));
}

function requestOf(record: DeletionRecord, userId: string): UserDataPage["data"] {
  return record.userIds.includes(userId) ? [{ kind: "deletion-request", request: { ...record, userIds: [] } }] : [];
}

async function memberships(storage: AudienceReads, userId: string, after: string | undefined): PageResult {
  const page = await findMemberships(storage, userId, after);
  return page.map(({ data, next }) => ({
    data,
    next: next === undefined ? { part: "deliveries" } : { part: "memberships", after: next },
  }));
}

async function deliveries({ ask }: Pick<Storage, "ask">, userId: string, after: string | undefined): PageResult {
  const limit = USER_DELIVERIES_AT_ONCE;
  const page = await ask((store) => store.list({ userId, limit, ...defined({ after }) }));
  if (page.isErr()) return err(page.error);
  const { deliveries: listed, next } = page.value;
  const results = await findEach(listed, ({ id }) => ask((store) => store.find(id)));
  return results.map((records: readonly DeliveryRecord[]) => ({
    data: records.map((delivery) => ({ kind: "delivery", delivery })),
    ...(next === undefined ? {} : { next: { part: "deliveries", after: next } as const }),
  }));
}

/** Finds a record for each item, one after the other; items that have gone meanwhile are left out. */
async function findEach<T, R>(
  all: readonly T[],
  find: (item: T) => ResultAsync<R | undefined, StoreFault>,
): Promise<Result<readonly R[], StoreFault>> {
  const records: R[] = [];
  for (const item of all) {
    const record = await find(item);
    if (record.isErr()) return err(record.error);
    if (record.value !== undefined) records.push(record.value);
  }
  return ok(records);
}

interface MembershipPage {
  readonly data: readonly Membership[];
  /** The key of the last audience that was looked at; absent if there is no further one. */
  readonly next?: string;
}

/** The memberships in the next `AUDIENCES_AT_ONCE` audiences, by their keys, after `after`. */
async function findMemberships(
  storage: AudienceReads,
  userId: string,
  after = "",
): Promise<Result<MembershipPage, StoreFault>> {
  const audiences = await storage.records.list();
  if (audiences.isErr()) return err(audiences.error);
  const remaining = audiences.value.filter(({ key }) => key > after);
  const records = remaining.slice(0, AUDIENCES_AT_ONCE);
  const data: Membership[] = [];
  for (const record of records) {
    const matches = await membershipsIn(storage, record, userId);
    if (matches.isErr()) return err(matches.error);
    data.push(...matches.value);
  }
  return ok({ data, ...defined({ next: remaining.length > records.length ? records.at(-1)?.key : undefined }) });
}

async function membershipsIn(
  storage: Pick<AudienceStorage, "ask">,
  record: AudienceRecord,
  userId: string,
): Promise<Result<readonly Membership[], StoreFault>> {
  const sets = await storage.ask((store) => store.sets(setPrefix(record.key)));
  if (sets.isErr()) return err(sets.error);
  const data: Membership[] = [];
  for (const memberSet of sets.value) {
    const member = await findMember(storage, memberSet, userId);
    if (member.isErr()) return err(member.error);
    if (member.value !== undefined) data.push(membershipIn(record, memberSet, member.value));
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

/**
 * The member with this id; undefined if the set has none. Begins right before it, since a set is read in order.
 * `unavailable` if the store does not come to an end.
 */
export async function findMember(
  { ask }: Pick<AudienceStorage, "ask">,
  set: string,
  userId: string,
): Promise<Result<Member | undefined, StoreFault>> {
  let after = rightBefore(userId);
  for (let pages = 0; pages < MAX_LOOK_UP_PAGES; pages += 1) {
    const page = await ask((audiences) => (after === undefined ? audiences.read(set) : audiences.read(set, after)));
    if (page.isErr()) return err(page.error);
    const last = page.value.at(-1);
    const match = page.value.find((member) => member.userId === userId);
    if (match !== undefined || last === undefined || last.userId >= userId) return ok(match);
    after = last.userId;
  }
  return err({ code: "unavailable" });
}

/** A text that sorts before the id, by UTF-16 code units, with few ids in between; undefined stands for the empty text. */
function rightBefore(userId: string): string | undefined {
  const lastUnit = userId.charCodeAt(userId.length - 1);
  const start = userId.slice(0, -1);
  if (lastUnit > 0 && !isNearSurrogates(lastUnit)) return start + String.fromCharCode(lastUnit - 1) + HIGHEST;
  const prefix = start.replace(/[\ud800-\udbff]$/, "");
  return prefix === "" ? undefined : prefix;
}

/** Half of a pair is no text that every store can keep. */
function isNearSurrogates(unit: number): boolean {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE + 1;
}
