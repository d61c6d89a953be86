// The public entry of system: the clock and the randomness of any runtime.

export { createSystemClock, type SystemClockOptions } from "./create-clock.js";
export { createIdRandom } from "./create-id-random.js";
export { createSystemRandom } from "./create-random.js";
export { nextTurn } from "./next-turn.js";
