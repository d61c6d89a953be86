// The public face of the simulator: outages, crashes and full disks, to test a policy before production does.

export { type BrokenPromise, type CheckName, CHECKS } from "./checks.js";
export type { SimulationFailure } from "./failure.js";
export type { Lag, Report, DeliveryTotals } from "./report.js";
export {
  type Behaviour,
  CRASH_STEPS,
  type CrashStep,
  type Load,
  type SimulationProgress,
  type SimulatedReceiver,
  type SimulatedFault,
  type SimulationOptions,
  type Spell,
  type Troubled,
} from "./simulation.js";
export { type ScenarioStretch, STORE_AILMENTS, type StoreAilment } from "@postrider/codec";
export { drawSimulation } from "./draw-simulation.js";
export { simulate } from "./simulate.js";
