// The public face of the simulator, which tests a policy with outages, crashes and full disks.

export { type BrokenPromise, type CheckName, CHECKS, FLEET_CHECKS } from "./checks.js";
export { drawFleet, type FleetChoice } from "./draw-fleet.js";
export { type SimulationFailure, simulate } from "./simulate.js";
export type { DeliveryTotals, LagPercentiles, PolicyWarning, SimulationReport, WorstSecond } from "./report.js";
export {
  type ReceiverBehaviour,
  CRASH_STEPS,
  type CrashStep,
  type SimulatedLoad,
  type SimulatedPause,
  type SimulationProgress,
  type SimulatedReceiver,
  type SimulatedFault,
  type SimulatedServer,
  type ServerFault,
  type SimulationOptions,
  type ReceiverSpell,
  type TroubledBehaviour,
  type SimulatedAudience,
  type SimulatedDeletion,
} from "./simulation.js";
export { type ScenarioStretch, STORE_FAULT_KINDS, type StoreFaultKind } from "@postrider/relay/settings";
export { drawSimulation } from "./draw-simulation.js";
