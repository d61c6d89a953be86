// The public face of system: the two ports that every runtime can fill by itself.

export { createSystemClock, type SystemClockOptions } from "./create-clock.js";
export { createSystemRandom } from "./create-random.js";
export { nextTurn } from "./next-turn.js";
