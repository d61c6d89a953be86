// How many requests about users are unfinished, and how old the oldest is: one query of the store at each scrape.

import type { Clock } from "@postrider/core";
import type { Relay } from "@postrider/relay";
import { gauge, type ReadFamilies } from "./program-families.js";

/** Of more requests than these only the newest are counted. */
const MAX_COUNTED = 1_000;
const MS_PER_SECOND = 1_000;

/** If the store cannot tell, there is no point. */
export function createDeletionFamilies(
  relay: Pick<Relay, "deletionRequests">,
  clock: Pick<Clock, "wall">,
): ReadFamilies {
  return async () => {
    const page = await relay.deletionRequests({ unfinished: true, limit: MAX_COUNTED });
    if (page.isErr()) return [];
    const { deletions } = page.value;
    const ages = deletions.map(({ requestedAt }) => (clock.wall() - requestedAt) / MS_PER_SECOND);
    return [
      gauge({ name: "postrider.deletions.unfinished", help: "Requests about users to finish." }, deletions.length),
      gauge(
        // Below 0 only if the clock was set back since.
        { name: "postrider.deletions.oldest", help: "Age of the oldest unfinished one, or 0.", unit: "s" },
        Math.max(0, ...ages),
      ),
    ];
  };
}
