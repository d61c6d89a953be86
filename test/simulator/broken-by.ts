// Which promises a simulation breaks.

import { type CheckName, simulate, type SimulationFailure, type SimulationOptions } from "@postrider/simulator";

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
