// What today's relay keeps and breaks when several servers share a store. A change of the relay that mends a promise turns its row
// from broken to held: the tests beside this file, and `npm run soak -- fleets`, ask for it.

import {
  type CheckName,
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
      readonly why: string;
    };

export const FLEET_PROMISES: Readonly<Record<FleetCheck, FleetPromise>> = {
  "one-sender": { is: "held" },
  "true-leases": { is: "held" },
  "none-after-the-end": { is: "held" },
  "true-windows": { is: "held" },
  "retry-after-of-all": {
    ...{ is: "broken", seed: 33 },
    why: "each process keeps the holds that it has heard, and forgets them when it ends",
  },
  "rate-in-sum": {
    ...{ is: "broken", seed: 2 },
    why: "each process has all tokens of a rate limit, and all of its burst when it starts",
  },
  "probes-in-sum": {
    ...{ is: "broken", seed: 25 },
    why: "each process holds a lane after failures that it has seen itself, and sends a separate probe",
  },
  "attempts-in-sum": {
    ...{ is: "broken", seed: 7 },
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
