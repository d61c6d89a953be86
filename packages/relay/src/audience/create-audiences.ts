// The public methods for audiences, from their parts; without an audience store there are no audiences.

import { errAsync, okAsync, ResultAsync } from "neverthrow";
import type { RelayContext } from "../context.js";
import { relayFault } from "../storage/relay-fault.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { Audiences } from "./audiences.js";
import { createAudience, setDestinations } from "./create-audience.js";
import type { Syncs } from "./create-syncs.js";

export function createAudiences(context: RelayContext, storage: AudienceStorage, syncs: Syncs): Audiences {
  const { orStalled } = storage;
  return {
    createAudience: (definition) => orStalled(() => new ResultAsync(createAudience(context, storage, definition))),
    setAudienceDestinations: (key, destinations) =>
      orStalled(() => new ResultAsync(setDestinations(context, storage, { key, destinations }))),
    audiences: () => orStalled(() => new ResultAsync(storage.ask((audiences) => audiences.list())).mapErr(relayFault)),
    audience: (key) =>
      orStalled(() => new ResultAsync(storage.ask((audiences) => audiences.find(key))).mapErr(relayFault)),
    // A stalled store is reported only at the beginning of a sync: one that is sending goes on, without a time limit.
    syncAudience: (key, members, options = {}) =>
      orStalled(() => new ResultAsync(syncs.begin())).andThen(
        (since) => new ResultAsync(syncs.sync({ key, since }, members, options)),
      ),
  };
}

/** The methods if there is no audience store. */
export const NO_AUDIENCES: Audiences = {
  createAudience: () => errAsync({ code: "not-supported" }),
  setAudienceDestinations: () => errAsync({ code: "not-supported" }),
  audiences: () => okAsync([]),
  audience: () => okAsync(undefined),
  syncAudience: () => errAsync({ code: "not-supported" }),
};
