// What the end of a claim shows about the receiver of its lane.

/**
 * What the end of a claim shows about the receiver. `refused`: it has answered, and does not want this message · `refusing`: it
 * refuses whatever it gets · `local`: all attempts had local faults, so that no request reached it · `blocked`: our own
 * address policy refuses every endpoint · `none`: nothing, since there was no round.
 */
export type RoundSignal = "success" | "failure" | "refused" | "refusing" | "local" | "blocked" | "none";
