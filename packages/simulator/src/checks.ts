// The promises that a simulation checks, each by its name. docs/guides/simulate.md shows this table.

/** The checks of a simulation, by name, in words. */
export const CHECKS = {
  "counting-law":
    "After every commit, accepted = filtered + waiting + claimed + delivered + dead, and each equals the count of the simulator.",
  "stored-once":
    "A call is stored once, however often its caller repeats it, and not if the transaction that adds it is rolled back.",
  "receipt-is-true": "A call whose receipt says accepted or duplicate is in the store by then.",
  "no-lost-call": "A stored delivery stays in the store until it is delivered or dead.",
  "settles-once": "A delivery becomes delivered or dead once, and stays so.",
  "settles-under-its-lease": "Only the process that holds the lease of a delivery settles it.",
  "one-lease": "No delivery is claimed before it is due, or while another lease on it is valid.",
  "stored-before-sent": "No request is sent for a message that is not in the store.",
  "room-in-the-lease": "An attempt starts only while its lease lasts long enough.",
  "none-after-the-window": "No attempt starts after the window.",
  "none-after-success": "No attempt starts after a success was recorded.",
  "first-attempt":
    "No delivery expires or is refused before its first attempt, unless the address policy refuses its destination.",
  "blocked-waits":
    "A delivery that the address policy refuses is dead only after one retry window since it was accepted.",
  "blocked-rests": "A destination that the address policy refuses is tried at most once in 60 seconds.",
  "refused-for-good":
    "No refusal is for good unless it speaks of one body (413, 422), or the endpoint took another message between it and the refusal before, and does not refuse whatever it gets.",
  "dies-refused":
    "What a process settles as dead is dead as refused if each endpoint refused it when it was last asked, and otherwise as expired.",
  "refusing-rests":
    "A destination whose only receiver refuses whatever it gets is tried at most once in 2.5 seconds, until a message succeeds.",
  "same-bytes": "Every attempt carries the bytes that were stored.",
  "by-the-settings":
    "Each request goes to an endpoint of its destination, and is signed with its secret, as the settings of its process are by then.",
  "retry-after":
    "A receiver gets no request before the time that its Retry-After asked for, except in the last slot of a window.",
  "open-lane": "No delivery of a destination that is off or paused is claimed or sent.",
  "closed-keeps": "What waits for a destination that is off or paused stays, however long that is.",
  "rate-limit":
    "A process starts no more rounds of a destination than its rate limit allows, over any stretch of time.",
  prompt:
    "A due delivery is sent at once, or once its rate limit allows it, if its lane has a free slot and is not held, and there was no recent fault.",
  "stop-settles": "After a stop, the process has no delivery claimed.",
  "delivered-is-success": "A delivery is delivered if, and only if, a receiver answered with success.",
  "expires-in-time":
    "A delivery expires, or dies of refusals that are not for good, only when no further round fits its window, by the clock at the time of that decision.",
  "attempts-are-true":
    "Each recorded attempt is a request that was sent, with the result that came back, and is recorded once; a release records none.",
  "one-round": "A process has one round of a delivery at a time, unless another process has recorded one meanwhile.",
  "heard-is-recorded":
    "What a process has heard of a delivery it records before it sends that again, unless the store failed or another process took over.",
  "repeats-are-counted":
    "Each round that was sent and never recorded is counted: the record of its delivery tells at least as many lapses.",
  "changes-are-true":
    "Each change that is stored of an audience leads a destination from what it was told to what the host gave last; none is stored twice.",
  "syncs-are-whole":
    "Once a sync is answered, each destination that was on was told of all its members and of no other, and so the audience store holds them.",
  "deleted-stay-away":
    "After a request about users, nothing of them is claimed, stored or kept until a later sync gives them, nor stored while they are suppressed.",
  "replays-are-whole": "A replay job replays each finished delivery of its filter, once, and counts it once.",
  "tests-are-apart": "A test event goes once to each endpoint of its destination, and nothing of it is stored.",
  explained:
    "Whatever happened to a delivery, its explanation names the event that decided: the attempt that ended it, the end that a process or an operator made, or each thing that it waits for.",
  "no-stall": "No delivery waits longer than its policy or a receiver can ask for, even after a clock was set back.",
  "all-settle":
    "Once all faults are over, every delivery becomes delivered or dead within a bound, every sync is answered and every request about users finished.",
} as const;

/** Further checks of a simulation with several servers. All times are true times. */
export const FLEET_CHECKS = {
  "one-sender":
    "No server sends a delivery that another server has sent under a lease that is still valid, unless that server has died.",
  "true-leases": "An attempt starts only while its lease lasts long enough, by true time.",
  "none-after-the-end": "No server sends a delivery that is delivered or dead.",
  "true-windows":
    "No attempt starts more than a second after its window, and no delivery expires more than a second too soon.",
  "retry-after-of-all":
    "What a Retry-After asks of one server, all servers keep, from two seconds after it was heard to two seconds before its end, except in the last slot of a window.",
  "rate-in-sum":
    "All servers together start no more rounds of a destination than its rate limit allows, and a twentieth.",
  "probes-in-sum":
    "Two seconds after a server holds a lane, the probes of all servers together are 2.5 seconds apart at least, as those of one are.",
  "attempts-in-sum": "All servers together have at most a quarter more attempts open at an endpoint than one may have.",
} as const;

/**
 * The promises that take all processes to have one wall clock, and one of them at a time to serve a lane. Of several servers,
 * `FLEET_CHECKS` has what takes their place.
 */
export const ONE_CLOCK_CHECKS: ReadonlySet<CheckName> = new Set<CheckName>([
  "expires-in-time",
  "blocked-waits",
  "no-stall",
]);

/** The name of a check. */
export type CheckName = keyof typeof CHECKS | keyof typeof FLEET_CHECKS;

/** A broken promise: its name, what happened, and when. */
export interface BrokenPromise {
  readonly check: CheckName;
  readonly what: string;
  /** The time at which the broken promise was noticed, in milliseconds from the start of the simulation. */
  readonly atMs: number;
}
