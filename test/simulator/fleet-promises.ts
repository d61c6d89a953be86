// What today's relay keeps and breaks when several servers share a store. A change of the relay that mends a promise turns its row
// from broken to held: the tests beside this file, and `npm run soak -- fleets`, ask for it.

import {
  type CheckName,
  drawFleet,
  type FLEET_CHECKS,
  simulate,
  type SimulationFailure,
  type SimulationOptions,
} from "@postrider/simulator";

export type FleetCheck = keyof typeof FLEET_CHECKS;

export type FleetPromise =
  | { readonly is: "held" }
  | {
      readonly is: "broken";
      /** The smallest seed of `drawFleet` that breaks it. */
      readonly seed: number;
      /** What breaks it: wrong clocks, without which the seed keeps it, or books that each server keeps for itself. */
      readonly by: "clocks" | "books";
      readonly why: string;
    };

export const FLEET_PROMISES: Readonly<Record<FleetCheck, FleetPromise>> = {
  "one-sender": {
    ...{ is: "broken", seed: 2, by: "clocks" },
    why: "a lease ends by the wall clock of the server that asks for it, which may be ahead of the one that holds it",
  },
  "true-leases": { is: "held" },
  "none-after-the-end": {
    ...{ is: "broken", seed: 58, by: "clocks" },
    why: "a server that took over delivers and settles while the first one has not begun its round",
  },
  "true-windows": {
    ...{ is: "broken", seed: 5, by: "clocks" },
    why: "a window that one server began is over, or goes on, by the wall clock of another",
  },
  "retry-after-of-all": {
    ...{ is: "broken", seed: 8, by: "books" },
    why: "each process keeps the holds that it has heard, and forgets them when it ends",
  },
  "rate-in-sum": {
    ...{ is: "broken", seed: 2, by: "books" },
    why: "each process has all tokens of a rate limit, and all of its burst when it starts",
  },
  "probes-in-sum": {
    ...{ is: "broken", seed: 34, by: "books" },
    why: "each process holds a lane after failures that it has seen itself, and sends a separate probe",
  },
  "attempts-in-sum": {
    ...{ is: "broken", seed: 7, by: "books" },
    why: "each process has a whole limit of deliveries in flight for each lane",
  },
};

/** The promises that are broken today. Each other one, of a single server as well, must be kept by all fleets. */
export const BROKEN_TODAY: ReadonlySet<string> = new Set(
  Object.entries(FLEET_PROMISES).flatMap(([name, promise]) => (promise.is === "broken" ? [name] : [])),
);

/** The promises that a simulation breaks, each once. */
export async function brokenBy(options: SimulationOptions): Promise<readonly CheckName[]> {
  try {
    await simulate(options);
    return [];
  } catch (error) {
    const { broken } = error as Partial<SimulationFailure>;
    if (broken === undefined) throw error;
    return [...new Set(broken.map(({ check }) => check))];
  }
}

/** The fleet of a seed, whose clocks are right and stay so. */
export function drawRightClocks(seed: number): SimulationOptions {
  const { servers = [], ...rest } = drawFleet(seed);
  const right = servers.map(({ faults = [] }) => ({ faults: faults.filter(({ kind }) => kind !== "clock-step") }));
  return { ...rest, servers: right };
}
