// What we wish of our schedule.

import { firstRetryWithin, survivesOutage } from "@postrider/testkit/policies";
import fc from "fast-check";
import { it } from "vitest";
import { ourSchedule } from "./schedule.js";

const policy = { schedule: ourSchedule };

it("delivers through an outage of three hours", () => {
  fc.assert(survivesOutage(policy, { outageMs: 3 * 3_600_000 }), { seed: 1 });
});

it("tries again within a minute and a half, also where a receiver is busy", () => {
  fc.assert(firstRetryWithin(policy, { withinMs: 90_000 }), { seed: 1 });
});
