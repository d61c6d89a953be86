// The methods that can be called across a port: the name of each on the wire, and how its arguments and its result are
// packed. The only list of them: both ends are derived from it, and its type demands a line for each method of a port.

import type { AudienceStore, DeletionStore, DeliveryStore } from "@postrider/core";
import { COMMIT_REQUEST, COMMIT_RESPONSE } from "./commit-packing.js";
import { CLAIM_RESPONSE, FIND_RESPONSE } from "./delivery-packing.js";
import { createJsonPacking, type Packing } from "./parcel.js";

export interface Method<Args extends readonly unknown[], Result> {
  readonly name: string;
  readonly request: Packing<Args>;
  readonly response: Packing<Result>;
}

/** Has one entry for each method of a port. */
export type MethodTable<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Result>
    ? Method<Args, Result>
    : never;
};

export const DELIVERY_METHODS: MethodTable<Omit<DeliveryStore, "deletions" | "onEnd">> = {
  commit: { name: "commit", request: COMMIT_REQUEST, response: COMMIT_RESPONSE },
  claim: { name: "claim", request: createJsonPacking(), response: CLAIM_RESPONSE },
  lanes: plain("lanes"),
  end: plain("end"),
  pullIn: plain("pull-in"),
  find: { name: "find", request: createJsonPacking(), response: FIND_RESPONSE },
  list: plain("list"),
  seen: plain("seen"),
  counts: plain("counts"),
  sweep: plain("sweep"),
  close: plain("close"),
};

export const DELETION_METHODS: MethodTable<DeletionStore> = {
  open: plain("deletions/open"),
  purge: plain("deletions/purge"),
  finish: plain("deletions/finish"),
  find: plain("deletions/find"),
  list: plain("deletions/list"),
  suppressed: plain("deletions/suppressed"),
};

export const AUDIENCE_METHODS: MethodTable<AudienceStore> = {
  create: plain("audiences/create"),
  find: plain("audiences/find"),
  list: plain("audiences/list"),
  replace: plain("audiences/replace"),
  append: plain("audiences/append"),
  read: plain("audiences/read"),
  sets: plain("audiences/sets"),
  drop: plain("audiences/drop"),
  erase: plain("audiences/erase"),
  scrub: plain("audiences/scrub"),
  close: plain("audiences/close"),
};

function plain<Args extends readonly unknown[], Result>(name: string): Method<Args, Result> {
  return { name, request: createJsonPacking(), response: createJsonPacking() };
}
