// The queries of a host about calls and deliveries. They change nothing, and are answered after a stop as well.

import {
  type Clock,
  type DeliveryId,
  type DeliveryRecord,
  type DeliverySummary,
  explain,
  type Explanation,
  type SourceCounts,
} from "@postrider/core";
import { FORBIDDEN_ADDRESS, totalCounts } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import { type LaneStatusContext, laneStatusOf, laneStatuses } from "./lanes/lane-statuses.js";
import { showRequests } from "./dispatch/attempt.js";
import { type RelayFault, toRelayFault } from "./fault.js";
import type { Relay } from "./relay.js";
import type { Lanes } from "./lanes/lanes.js";
import type { PendingCounts } from "./commits/gathering.js";
import type { Storage } from "./commits/storage.js";

export interface QueriesContext extends LaneStatusContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly tally: PendingCounts;
  readonly lanes: Pick<Lanes, "isBlocked" | "all">;
}

export type Queries = Pick<
  Relay,
  "delivery" | "deliveries" | "explain" | "lanes" | "requests" | "seen" | "stats" | "usage"
>;

export function createQueries(context: QueriesContext): Queries {
  const { storage, clock, tally, lanes, settings } = context;
  const { orStalled } = storage;

  function usage(): ResultAsync<readonly SourceCounts[], RelayFault> {
    return storage
      .ask((store) => store.counts())
      .map((sources) => tally.addTo(sources))
      .mapErr(toRelayFault);
  }

  /** A delivery that waits for a blocked destination has the reason as its detail (decision: blocked destinations). */
  function withCause<One extends DeliverySummary>(delivery: One): One {
    const isBlocked = delivery.state === "waiting" && lanes.isBlocked(delivery.destination);
    return isBlocked ? { ...delivery, detail: FORBIDDEN_ADDRESS } : delivery;
  }

  function explainRecord(record: DeliveryRecord): Explanation {
    const lane = laneStatusOf(context, record.destination);
    return explain({ record, settings: settings.workspace(), lane }, clock.wall());
  }

  function find<T>(id: DeliveryId, show: (record: DeliveryRecord) => T): ResultAsync<T | undefined, RelayFault> {
    return orStalled(() =>
      storage
        .ask((store) => store.find(id))
        .map((record) => record && show(record))
        .mapErr(toRelayFault),
    );
  }

  return {
    delivery: (id) => find(id, withCause),
    explain: (id) => find(id, explainRecord),
    requests: (id) => find(id, (record) => showRequests({ settings, clock }, record)),
    lanes: () => laneStatuses(context),
    deliveries: (query) =>
      orStalled(() =>
        storage
          .ask((store) => store.list(query))
          .map((page) => ({ ...page, deliveries: page.deliveries.map(withCause) }))
          .mapErr(toRelayFault),
      ),
    seen: (query) => orStalled(() => storage.ask((store) => store.seen(query, clock.wall())).mapErr(toRelayFault)),
    stats: () => orStalled(() => usage().map(totalCounts)),
    usage: () => orStalled(usage),
  };
}
