// The queries of a host about calls and deliveries. They change nothing, and are answered after a stop as well.

import type { Clock, DeliverySummary, SourceCounts } from "@postrider/core";
import { FORBIDDEN_ADDRESS, totalCounts } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "./fault.js";
import type { Relay } from "./relay.js";
import type { Lanes } from "./state/lanes.js";
import type { PendingCounts } from "./state/pending-counts.js";
import { toRelayFault } from "./storage/relay-fault.js";
import type { Storage } from "./storage/storage.js";

export interface QueriesContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly tally: PendingCounts;
  readonly lanes: Pick<Lanes, "isBlocked">;
}

export type Queries = Pick<Relay, "delivery" | "deliveries" | "seen" | "stats" | "usage">;

export function createQueries({ storage, clock, tally, lanes }: QueriesContext): Queries {
  const { orStalled } = storage;

  function usage(): ResultAsync<readonly SourceCounts[], RelayFault> {
    return storage
      .ask((store) => store.counts())
      .map((sources) => tally.addTo(sources))
      .mapErr(toRelayFault);
  }

  /** A delivery that waits for a blocked destination has the reason as its detail (decision: blocked destinations). */
  function explain<One extends DeliverySummary>(delivery: One): One {
    const isBlocked = delivery.state === "waiting" && lanes.isBlocked(delivery.destination);
    return isBlocked ? { ...delivery, detail: FORBIDDEN_ADDRESS } : delivery;
  }

  return {
    delivery: (id) =>
      orStalled(() =>
        storage
          .ask((store) => store.find(id))
          .map((record) => record && explain(record))
          .mapErr(toRelayFault),
      ),
    deliveries: (query) =>
      orStalled(() =>
        storage
          .ask((store) => store.list(query))
          .map((page) => ({ ...page, deliveries: page.deliveries.map(explain) }))
          .mapErr(toRelayFault),
      ),
    seen: (query) => orStalled(() => storage.ask((store) => store.seen(query, clock.wall())).mapErr(toRelayFault)),
    stats: () => orStalled(() => usage().map(totalCounts)),
    usage: () => orStalled(usage),
  };
}
