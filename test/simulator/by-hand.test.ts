// The soak of the same name, on a smaller scale: fewer seeds, and only figures that need few seeds to be steady.

import { expect, it } from "vitest";
import { bySimulator, byHand, difference, OUTAGES } from "./outages.js";

const FEW = [0, 2, 3, 8, 9].flatMap((index) => OUTAGES[index] ?? []);

it.each(FEW)("simulated as calculated by hand: $name", async (outage) => {
  const [hand, simulated] = [byHand(outage, 30), await bySimulator(outage, 12)];
  for (const key of ["delivered", "requests", "p50Ms", "p99Ms"] as const) {
    expect(difference(simulated, hand, key), `${key}: ${String(simulated[key])} and ${String(hand[key])}`).toBeLessThan(
      0.03,
    );
  }
});
