// The public face of simulated-host: a whole Postrider in memory, for tests of programs that embed it.

export { createSimulatedHost, type SimulatedHost, type SimulatedHostOptions } from "./create-simulated-host.js";
