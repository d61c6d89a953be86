// The calls in the tables: how they are read and changed within one transaction. Each owner has a row with the number of its
// calls; one without calls has none.

import type { CallChange, KeptCall, KeptCallPage, KeptCallPageRequest } from "@postrider/core";
import type { Tables } from "./create-database.js";
import { asStoreError, createDatabaseError } from "./database-error.js";

/** A row with a call. Its key is its place in the order of all calls, and its owner. */
interface CallRow extends KeptCall {
  readonly n: number;
  readonly owner: string;
}

type CallKey = [n: number, owner: string];

interface OwnerRow {
  readonly owner: string;
  readonly calls: number;
}

type Holds = (owner: string) => boolean;

/** A page of the calls whose owners are held. */
export async function loadCalls(
  { calls, owners }: Tables,
  { from, limit }: KeptCallPageRequest,
  holds: Holds,
): Promise<KeptCallPage> {
  const ownRows = (await rowsOf<OwnerRow>(owners)).filter(({ owner }) => holds(owner));
  const [key] = await findKeys(calls, from === undefined ? [] : [from]);
  const callRows: CallRow[] = [];
  let range = IDBKeyRange.lowerBound(key !== undefined && holds(key[1]) ? key : []);
  for (let isAtEnd = false; !isAtEnd && callRows.length <= limit;) {
    const rows = await rowsOf<CallRow>(calls, range, limit + 1);
    const lastRow = rows.at(-1);
    callRows.push(...rows.filter(({ owner }) => holds(owner)));
    isAtEnd = lastRow === undefined;
    if (lastRow !== undefined) range = IDBKeyRange.lowerBound([lastRow.n, lastRow.owner], true);
  }
  return {
    calls: callRows.slice(0, limit).map(({ messageId, type, json }) => ({ messageId, type, json })),
    next: callRows[limit]?.messageId,
    stored: sum(ownRows.map((row) => row.calls)),
  };
}

export interface CallPlace {
  /** The owner of the calls that are stored. */
  readonly owner: string;
  readonly holds: Holds;
  /** Bounds the calls of all owners together. */
  readonly maxCalls: number;
}

/**
 * Changes the calls whose owners are held, and returns their number. A call of another tab that is stored once more keeps its place, and
 * gets the new owner.
 */
export async function changeCalls(
  { calls, owners }: Tables,
  { keep, drop }: CallChange,
  { owner, holds, maxCalls }: CallPlace,
): Promise<number> {
  const counts = new Map((await rowsOf<OwnerRow>(owners)).map((row) => [row.owner, row.calls]));
  const countBefore = sum(counts.values());
  const lastCursor = await askFor(calls.openKeyCursor(null, "prev"));
  let nextPlace = lastCursor === null ? 0 : (lastCursor.key as CallKey)[0] + 1;

  function remove(key: CallKey): void {
    calls.delete(key);
    counts.set(key[1], (counts.get(key[1]) ?? 0) - 1);
  }

  function put({ messageId, type, json }: KeptCall, key: CallKey | undefined): void {
    if (key !== undefined) remove(key);
    const n = key === undefined ? nextPlace++ : key[0];
    calls.put({ n, owner, messageId, type, json } satisfies CallRow);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }

  const keepEntries = [...new Map(keep.map((call) => [call.messageId, call]))];
  const dropIds = [...new Set(drop)];
  const keys = await findKeys(calls, [...dropIds, ...keepEntries.map(([messageId]) => messageId)]);
  for (const key of keys.slice(0, dropIds.length)) if (key !== undefined && holds(key[1])) remove(key);
  for (const [index, [, call]] of keepEntries.entries()) put(call, keys[dropIds.length + index]);
  const countAfter = sum(counts.values());
  if (countAfter > countBefore && countAfter > maxCalls)
    throw createDatabaseError("full", `${String(maxCalls)} calls are kept`);
  for (const [anyOwner, count] of counts) {
    if (count > 0) owners.put({ owner: anyOwner, calls: count } satisfies OwnerRow);
    else owners.delete(anyOwner);
  }
  return sum([...counts].map(([anyOwner, count]) => (holds(anyOwner) ? count : 0)));
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

function rowsOf<T>(table: IDBObjectStore, range?: IDBKeyRange, limit?: number): Promise<readonly T[]> {
  const rows: IDBRequest<unknown[]> = table.getAll(range, limit);
  return askFor(rows) as Promise<readonly T[]>;
}

/** The answer to a request of a transaction. */
export function askFor<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(asStoreError(request.error));
  });
}

/** The keys of the calls with these messageIds. */
async function findKeys(calls: IDBObjectStore, ids: readonly string[]): Promise<readonly (CallKey | undefined)[]> {
  const byId = calls.index("messageId");
  return Promise.all(ids.map((id) => askFor(byId.getKey(id)) as Promise<CallKey | undefined>));
}
