// Tokens of leases that look alike.

import { leaseToken } from "@postrider/core";
import { expectEqual } from "../check.js";
import { failAsOne, lookAlikes } from "../look-alikes.js";
import { claimedDelivery, DELIVERED } from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

const TOKENS = lookAlikes().map((token) => leaseToken(token));

export const LOOK_ALIKE_TOKEN_CASES: readonly StoreCase[] = [
  {
    name: "a token settles its own deliveries, and none of a token that looks alike",
    async play(scene) {
      const ids = [];
      for (const token of TOKENS) {
        const accept = [scene.message({ deliveries: [claimedDelivery(scene.lane)] })];
        const lease = { token, leaseMs: LEASE_MS };
        const { accepted } = await scene.commit({ accept, lease });
        ids.push(...accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : [])));
      }
      const none = { outcome: DELIVERED, attempts: [], endpoints: [] };
      const pairs = ids.flatMap((id, place) => TOKENS.map((token, other) => ({ id, token, place, other })));
      const wrong = pairs.filter(({ place, other }) => place !== other);
      const { settled: answers } = await scene.commit({
        settle: wrong.map(({ id, token }) => ({ id, token, ...none })),
      });
      const taken = wrong[answers.findIndex((answer) => answer !== "stale")];
      if (taken !== undefined) failAsOne(TOKENS[taken.place] ?? "", taken.token, "a token");
      const settle = ids.flatMap((id, place) =>
        TOKENS.slice(place, place + 1).map((token) => ({ id, token, ...none })),
      );
      const { settled } = await scene.commit({ settle });
      const stale = TOKENS[settled.findIndex((answer) => answer !== "settled")];
      expectEqual(stale, undefined, "a token that does not settle its own delivery");
    },
  },
];
