// The public face of the simulator, which tests a policy with outages, crashes and full disks.

export { type BrokenPromise, type CheckName, CHECKS, FLEET_CHECKS } from "./checks.js";
export { drawFleet } from "./draw-fleet.js";
export { type SimulationFailure, simulate } from "./simulate.js";
export type { DeliveryTotals, SimulationReport } from "./report.js";
export type {
  SimulationProgress,
  SimulatedReceiver,
  SimulationOptions,
  ReceiverSpell,
  SimulatedAudience,
} from "./simulation.js";
export { type ScenarioStretch, STORE_FAULT_KINDS, type StoreFaultKind } from "@postrider/relay/settings";
export { drawSimulation } from "./draw-simulation.js";
