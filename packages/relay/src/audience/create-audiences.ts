// The audiences of a relay: their public methods, and the loop that resumes syncs. Without an audience store, a relay
// has no audiences.

import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { toRelayFault } from "../fault.js";
import type { Audiences } from "./audiences.js";
import type { AudienceContext } from "./context.js";
import { createAudience, setDestinations } from "./create-audience.js";
import { createSyncs } from "./create-syncs.js";

/** The audience methods of a relay, and the loop that resumes syncs. */
export interface AudienceWork {
  readonly methods: Audiences;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

export function createAudiences(context: AudienceContext): AudienceWork {
  const { storage } = context;
  const { orStalled } = storage;
  const syncs = createSyncs(context);
  const methods: Audiences = {
    createAudience: (definition) => orStalled(() => new ResultAsync(createAudience(context, definition))),
    setAudienceDestinations: (key, destinations) =>
      orStalled(() => new ResultAsync(setDestinations(context, { key, destinations }))),
    audiences: () =>
      orStalled(() => new ResultAsync(storage.ask((audiences) => audiences.list())).mapErr(toRelayFault)),
    audience: (key) =>
      orStalled(() => new ResultAsync(storage.ask((audiences) => audiences.find(key))).mapErr(toRelayFault)),
    // A stalled store is reported only when a sync begins: a sync under way waits for the store without a time limit.
    syncAudience: (key, members, options = {}) =>
      orStalled(() => new ResultAsync(syncs.begin())).andThen(
        (since) => new ResultAsync(syncs.sync({ key, since }, members, options)),
      ),
  };
  return { methods, start: () => syncs.start(), stop: () => syncs.stop() };
}

/** Used if there is no audience store: finds nothing, and fails with `not-supported` if something would change. */
export const UNSUPPORTED_AUDIENCES: AudienceWork = {
  methods: {
    createAudience: () => errAsync({ code: "not-supported" }),
    setAudienceDestinations: () => errAsync({ code: "not-supported" }),
    audiences: () => okAsync([]),
    audience: () => okAsync(undefined),
    syncAudience: () => errAsync({ code: "not-supported" }),
  },
  start: () => undefined,
  stop: () => Promise.resolve(),
};
