// The queries of a host about calls and deliveries. They change nothing, and are answered after a stop as well.

import type { Clock, SourceCounts } from "@postrider/core";
import { totalCounts } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "./fault.js";
import type { Relay } from "./relay.js";
import type { PendingCounts } from "./state/pending-counts.js";
import { toRelayFault } from "./storage/relay-fault.js";
import type { Storage } from "./storage/storage.js";

export interface QueriesContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly tally: PendingCounts;
}

export type Queries = Pick<Relay, "delivery" | "deliveries" | "seen" | "stats" | "usage">;

export function createQueries({ storage, clock, tally }: QueriesContext): Queries {
  const { orStalled } = storage;

  function usage(): ResultAsync<readonly SourceCounts[], RelayFault> {
    return storage
      .ask((store) => store.counts())
      .map((sources) => tally.addTo(sources))
      .mapErr(toRelayFault);
  }

  return {
    delivery: (id) => orStalled(() => storage.ask((store) => store.find(id)).mapErr(toRelayFault)),
    deliveries: (query) => orStalled(() => storage.ask((store) => store.list(query)).mapErr(toRelayFault)),
    seen: (query) => orStalled(() => storage.ask((store) => store.seen(query, clock.wall())).mapErr(toRelayFault)),
    stats: () => orStalled(() => usage().map(totalCounts)),
    usage: () => orStalled(usage),
  };
}
