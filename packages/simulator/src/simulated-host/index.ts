// The public face of the world: a whole Postrider in memory, for tests of what one builds on it.

export { createWorld, type World, type WorldOptions } from "./create-simulated-host.js";
