// A small part of `npm run soak -- fleets`: needs `dist`, which `npm test` builds first.

import { describe, expect, it } from "vitest";
import { BROKEN_TODAY } from "../simulator/fleet-promises.js";
import { plant } from "./plant.js";
import { PROGRAM, playSeeds } from "./play-seeds.js";

const SEEDS = 150;

it("several servers break no promise but those that are known to be broken", async () => {
  const { failed, seeds } = await playSeeds(PROGRAM, { from: 1_001, until: 1_001 + SEEDS, fleets: true });
  const unknown = failed.filter(({ checks }) => checks.some((name) => !BROKEN_TODAY.has(name)));
  expect(unknown.map(({ seed, message }) => `${seed}: ${message}`)).toEqual([]);
  expect(seeds).toBe(SEEDS);
  expect(failed.length).toBeLessThan(SEEDS);
});

/** Promises that are held: each with a bug that breaks it, and a seed that shows it. */
const PLANTED = [
  {
    name: "settle without token",
    edit: {
      file: "memory/dist/delivery-store/settle.js",
      from: "if (delivery?.token !== settlement.token)",
      to: "if (delivery === undefined)",
    },
    ...{ seed: 2, breaks: "settles-under-its-lease" },
  },
  {
    name: "a round begins however little is left of its lease",
    edit: {
      file: "core/dist/round/plan-round.js",
      from: "context.leaseUntil - now < policy.timeoutMs + LEASE_SLACK_MS",
      to: "false",
    },
    ...{ seed: 85, breaks: "true-leases" },
  },
  {
    name: "what was taken over once is never taken over again",
    edit: {
      file: "memory/dist/delivery-store/claim.js",
      from: 'move(contents, next, "claimed", plusMs(now, lease.leaseMs));',
      to: 'move(contents, next, "claimed", plusMs(now, lease.leaseMs + (next.token === undefined ? 0 : 1e13)));',
    },
    ...{ seed: 160, breaks: "all-settle" },
  },
];

describe("a planted bug", () => {
  it.each(PLANTED)("is found with several servers: $name", async ({ edit, seed, breaks }) => {
    expect(BROKEN_TODAY).not.toContain(breaks);
    const copy = plant([edit]);
    const { failed } = await playSeeds(copy.program, { from: seed, until: seed + 1, fleets: true });
    copy.remove();
    expect(failed[0]?.checks).toContain(breaks);
  });
});
