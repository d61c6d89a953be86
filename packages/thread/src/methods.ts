// The methods that can be called across the channel: the name of each on the channel, and how its arguments and its
// result are packed. Both ends are derived from these tables, whose type demands an entry for each method of a port of
// core.

import type { AudienceStore, DeletionStore, DeliveryStore, RecordStore, SharedClock } from "@postrider/core";
import { COMMIT_REQUEST, COMMIT_RESPONSE } from "./packing/commit.js";
import { CLAIM_RESPONSE, FIND_RESPONSE } from "./packing/claim.js";
import { createJsonPacking, type Packing } from "./channel.js";

export interface RemoteMethod<Args extends readonly unknown[], Result> {
  readonly name: string;
  readonly request: Packing<Args>;
  readonly response: Packing<Result>;
}

/** The methods of a port of core, one entry for each. */
export type RemoteMethods<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Result>
    ? RemoteMethod<Args, Result>
    : never;
};

export type AnyMethod = RemoteMethod<readonly unknown[], unknown>;

export type AnyFunction = (...args: readonly unknown[]) => Promise<unknown>;

export function entriesOf(methods: object): readonly [string, AnyMethod][] {
  return Object.entries(methods as Readonly<Record<string, AnyMethod>>);
}

/** The optional parts of a delivery store that are called across the channel. */
export type PartName = "deletions" | "records" | "clock";

/** The methods of a delivery store itself, without its parts. */
export type DeliveryMethods = Omit<DeliveryStore, PartName | "onEnd">;

export const DELIVERY_METHODS: RemoteMethods<DeliveryMethods> = {
  commit: { name: "commit", request: COMMIT_REQUEST, response: COMMIT_RESPONSE },
  claim: { name: "claim", request: createJsonPacking(), response: CLAIM_RESPONSE },
  lanes: jsonMethod("lanes"),
  end: jsonMethod("end"),
  pullIn: jsonMethod("pull-in"),
  find: { name: "find", request: createJsonPacking(), response: FIND_RESPONSE },
  list: jsonMethod("list"),
  seen: jsonMethod("seen"),
  counts: jsonMethod("counts"),
  sweep: jsonMethod("sweep"),
  close: jsonMethod("close"),
};

const DELETION_METHODS: RemoteMethods<DeletionStore> = {
  open: jsonMethod("deletions/open"),
  purge: jsonMethod("deletions/purge"),
  finish: jsonMethod("deletions/finish"),
  find: jsonMethod("deletions/find"),
  list: jsonMethod("deletions/list"),
  suppressed: jsonMethod("deletions/suppressed"),
};

const RECORD_METHODS = recordMethods("records");

const CLOCK_METHODS: RemoteMethods<SharedClock> = { wall: jsonMethod("clock/wall") };

/** A part of a delivery store: how the first response says that there is one, and its methods. */
interface StorePart<Port> {
  readonly flag: `has${string}`;
  readonly methods: RemoteMethods<Port>;
}

/** All parts, of which a store has those that it supports. */
export const STORE_PARTS: { readonly [Name in PartName]: StorePart<NonNullable<DeliveryStore[Name]>> } = {
  deletions: { flag: "hasDeletions", methods: DELETION_METHODS },
  records: { flag: "hasRecords", methods: RECORD_METHODS },
  clock: { flag: "hasClock", methods: CLOCK_METHODS },
};

/** The names of all parts. */
export const PART_NAMES: readonly PartName[] = Object.keys(STORE_PARTS) as PartName[];

export const AUDIENCE_RECORD_METHODS: RemoteMethods<RecordStore> = recordMethods("audiences/records");

export const AUDIENCE_METHODS: RemoteMethods<Omit<AudienceStore, "records">> = {
  append: jsonMethod("audiences/append"),
  read: jsonMethod("audiences/read"),
  sets: jsonMethod("audiences/sets"),
  drop: jsonMethod("audiences/drop"),
  erase: jsonMethod("audiences/erase"),
  scrub: jsonMethod("audiences/scrub"),
  close: jsonMethod("audiences/close"),
};

function recordMethods(part: string): RemoteMethods<RecordStore> {
  return {
    put: jsonMethod(`${part}/put`),
    find: jsonMethod(`${part}/find`),
    list: jsonMethod(`${part}/list`),
    remove: jsonMethod(`${part}/remove`),
  };
}

function jsonMethod<Args extends readonly unknown[], Result>(name: string): RemoteMethod<Args, Result> {
  return { name, request: createJsonPacking(), response: createJsonPacking() };
}
