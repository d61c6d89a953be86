// The public face of the simulator: outages, crashes and full disks for a policy of your own, before they come by themselves.

export { type Broken, type CheckName, CHECKS } from "./checks.js";
export type { SimulationFailure } from "./failure.js";
export type { Lag, Report, Tally } from "./report.js";
export {
  type Behaviour,
  CRASH_STEPS,
  type CrashStep,
  type Load,
  type Progress,
  type Receiver,
  type SimulatedFault,
  type SimulationOptions,
  type Spell,
  STORE_AILMENTS,
  type StoreAilment,
  type Stretch,
  type Troubled,
} from "./simulation.js";
export { drawSimulation } from "./draw-simulation.js";
export { simulate } from "./simulate.js";
