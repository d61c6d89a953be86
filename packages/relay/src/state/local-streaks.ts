// For each delivery, the number of its latest rounds in a row in which all faults were local ones. In memory only, and
// for a bounded number of deliveries: a delivery that was forgotten begins with the shortest delay again.

import type { DeliveryId } from "@postrider/core";
import { MAX_LOCAL_STREAKS } from "../limits.js";
import type { RelayState } from "./relay-state.js";

export interface LocalStreaks {
  of(delivery: DeliveryId): number;
  /** To be called when a further round had only local faults. */
  grow(delivery: DeliveryId): void;
  /** To be called when a round had a result that is no local fault. */
  end(delivery: DeliveryId): void;
  /** All streaks, for the relay that takes over. */
  remember(): RelayState["localStreaks"];
}

export function createLocalStreaks(known: RelayState["localStreaks"] = []): LocalStreaks {
  const streaks = new Map(known);
  return {
    of: (delivery) => streaks.get(delivery) ?? 0,
    grow: (delivery): void => {
      streaks.set(delivery, (streaks.get(delivery) ?? 0) + 1);
      const [oldest] = streaks.keys();
      if (streaks.size > MAX_LOCAL_STREAKS && oldest !== undefined) streaks.delete(oldest);
    },
    end: (delivery): void => {
      streaks.delete(delivery);
    },
    remember: () => [...streaks],
  };
}
