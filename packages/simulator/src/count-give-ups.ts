// Counts how often the schedule of a policy gives up, so that the ledger can tell a delivery that was given up from one that
// expired too soon. Changes no answer.

import type { DeliveryPolicy } from "@postrider/core";
import type { Ledger } from "./ledger/ledger.js";

export function countGiveUps(policy: DeliveryPolicy, counts: Pick<Ledger, "giveUps">): DeliveryPolicy {
  const { schedule } = policy;
  if (schedule === undefined) return policy;
  return {
    ...policy,
    schedule: {
      name: schedule.name,
      next: (failure) => {
        const answer = schedule.next(failure);
        if (answer === "give-up") counts.giveUps += 1;
        return answer;
      },
    },
  };
}
