// How many rounds in a row a delivery has met nothing but faults of our own. In memory only, and only so many: what is
// forgotten begins with the shortest wait again.

import type { DeliveryId } from "@postrider/core";
import { MAX_LOCAL_STREAKS } from "../limits.js";

export interface LocalStreaks {
  of(delivery: DeliveryId): number;
  /** A further round met nothing else. */
  grow(delivery: DeliveryId): void;
  /** A round reached a receiver. */
  end(delivery: DeliveryId): void;
}

export function createLocalStreaks(): LocalStreaks {
  const streaks = new Map<DeliveryId, number>();
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
  };
}
