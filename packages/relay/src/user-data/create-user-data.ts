// Reads all that the stores hold of one user, part by part and page by page. Decides the order of the parts; changes nothing, and
// keeps nothing between two pages.

import type { DeletionRecord, DeliveryRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { AudienceStorage } from "../audience/audience-storage.js";
import { USER_DELIVERIES_AT_ONCE, USER_REQUESTS_AT_ONCE, SUPPRESSED_AT_ONCE } from "../limits.js";
import { toRelayFault, type StoreFault } from "../fault.js";
import type { AskDeletions, Storage } from "../commits/storage.js";
import { findMemberships } from "./find-memberships.js";
import type { UserDataCursor, UserDataPage, UserDataRequests } from "./user-data.js";

export interface UserDataContext {
  readonly storage: Pick<Storage, "ask" | "askDeletions" | "orStalled">;
  readonly audienceStorage: Pick<AudienceStorage, "ask"> | undefined;
}

export function createUserData(context: UserDataContext): UserDataRequests {
  return {
    userData: ({ userId, after = { part: "suppression" } }) =>
      context.storage.orStalled(() => new ResultAsync(pageOf(context, userId, after)).mapErr(toRelayFault)),
  };
}

type Page = Promise<Result<UserDataPage, StoreFault>>;

function pageOf({ storage, audienceStorage }: UserDataContext, userId: string, cursor: UserDataCursor): Page {
  const { askDeletions } = storage;
  switch (cursor.part) {
    case "suppression":
      return askDeletions === undefined
        ? nothing({ part: "memberships" })
        : suppression(askDeletions, userId, cursor.after);
    case "requests":
      return askDeletions === undefined
        ? nothing({ part: "memberships" })
        : requests(askDeletions, userId, cursor.after);
    case "memberships":
      return audienceStorage === undefined
        ? nothing({ part: "deliveries" })
        : memberships(audienceStorage, userId, cursor.after);
    case "deliveries":
      return deliveries(storage, userId, cursor.after);
  }
}

function nothing(next: UserDataCursor): Page {
  return Promise.resolve(ok({ data: [], next }));
}

async function suppression(ask: AskDeletions, userId: string, after: string | undefined): Page {
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
): Page {
  const limit = USER_REQUESTS_AT_ONCE;
  const page = await ask((deletions) => deletions.list({ unfinished: true, limit, ...defined({ after }) }));
  if (page.isErr()) return err(page.error);
  const { deletions, more } = page.value;
  const found = await inTurn(deletions, ({ id }) => ask((store) => store.find(id)));
  const last = deletions.at(-1);
  const next: UserDataCursor =
    more && last !== undefined ? { part: "requests", after: last.id } : { part: "memberships" };
  return found.map((records) => ({ data: records.flatMap((record) => requestOf(record, userId)), next }));
}

function requestOf(record: DeletionRecord, userId: string): UserDataPage["data"] {
  return record.userIds.includes(userId) ? [{ kind: "deletion-request", request: { ...record, userIds: [] } }] : [];
}

async function memberships(storage: Pick<AudienceStorage, "ask">, userId: string, after: string | undefined): Page {
  const page = await findMemberships(storage, userId, after);
  return page.map(({ data, next }) => ({
    data,
    next: next === undefined ? { part: "deliveries" } : { part: "memberships", after: next },
  }));
}

async function deliveries({ ask }: Pick<Storage, "ask">, userId: string, after: string | undefined): Page {
  const limit = USER_DELIVERIES_AT_ONCE;
  const page = await ask((store) => store.list({ userId, limit, ...defined({ after }) }));
  if (page.isErr()) return err(page.error);
  const { deliveries: listed, next } = page.value;
  const found = await inTurn(listed, ({ id }) => ask((store) => store.find(id)));
  return found.map((records: readonly DeliveryRecord[]) => ({
    data: records.map((delivery) => ({ kind: "delivery", delivery })),
    ...(next === undefined ? {} : { next: { part: "deliveries", after: next } as const }),
  }));
}

/** What is found for each of these, one after the other; what is gone meanwhile is left out. */
async function inTurn<T, R>(
  all: readonly T[],
  find: (one: T) => ResultAsync<R | undefined, StoreFault>,
): Promise<Result<readonly R[], StoreFault>> {
  const found: R[] = [];
  for (const one of all) {
    const record = await find(one);
    if (record.isErr()) return err(record.error);
    if (record.value !== undefined) found.push(record.value);
  }
  return ok(found);
}
