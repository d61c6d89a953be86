// The methods that can be called across the channel: the name of each on the channel, and how its arguments and its
// result are packed. Both ends are derived from these tables, whose type demands an entry for each method of a port of
// core.

import type {
  AudienceStore,
  DeletionStore,
  DeliveryStore,
  PauseStore,
  ReplayJobStore,
  SettingsStore,
  SharedClock,
} from "@postrider/core";
import { COMMIT_REQUEST, COMMIT_RESPONSE } from "./commit-packing.js";
import { CLAIM_RESPONSE, FIND_RESPONSE } from "./delivery-packing.js";
import { createJsonPacking, type Packing } from "./parcel.js";

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

/** The methods of a delivery store itself, without its parts. */
export type DeliveryMethods = Omit<
  DeliveryStore,
  "deletions" | "pauses" | "replayJobs" | "settings" | "clock" | "onEnd"
>;

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

export const DELETION_METHODS: RemoteMethods<DeletionStore> = {
  open: jsonMethod("deletions/open"),
  purge: jsonMethod("deletions/purge"),
  finish: jsonMethod("deletions/finish"),
  find: jsonMethod("deletions/find"),
  list: jsonMethod("deletions/list"),
  suppressed: jsonMethod("deletions/suppressed"),
};

export const PAUSE_METHODS: RemoteMethods<PauseStore> = {
  add: jsonMethod("pauses/add"),
  remove: jsonMethod("pauses/remove"),
  list: jsonMethod("pauses/list"),
};

export const REPLAY_JOB_METHODS: RemoteMethods<ReplayJobStore> = {
  create: jsonMethod("replay-jobs/create"),
  replace: jsonMethod("replay-jobs/replace"),
  find: jsonMethod("replay-jobs/find"),
  list: jsonMethod("replay-jobs/list"),
  remove: jsonMethod("replay-jobs/remove"),
};

export const SETTINGS_METHODS: RemoteMethods<SettingsStore> = {
  put: jsonMethod("settings/put"),
  latest: jsonMethod("settings/latest"),
  find: jsonMethod("settings/find"),
  history: jsonMethod("settings/history"),
};

export const CLOCK_METHODS: RemoteMethods<SharedClock> = { wall: jsonMethod("clock/wall") };

export const AUDIENCE_METHODS: RemoteMethods<AudienceStore> = {
  create: jsonMethod("audiences/create"),
  find: jsonMethod("audiences/find"),
  list: jsonMethod("audiences/list"),
  replace: jsonMethod("audiences/replace"),
  append: jsonMethod("audiences/append"),
  read: jsonMethod("audiences/read"),
  sets: jsonMethod("audiences/sets"),
  drop: jsonMethod("audiences/drop"),
  erase: jsonMethod("audiences/erase"),
  scrub: jsonMethod("audiences/scrub"),
  close: jsonMethod("audiences/close"),
};

function jsonMethod<Args extends readonly unknown[], Result>(name: string): RemoteMethod<Args, Result> {
  return { name, request: createJsonPacking(), response: createJsonPacking() };
}
