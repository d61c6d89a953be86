// The options of a simulation, as plain data that prints and shrinks, with the types of a scenario file. All times
// count from its start. Users of audiences are numbered. Only audiences and requests about users name them: callers do
// not.

import type {
  Scenario,
  ScenarioDowntime,
  ScenarioFault,
  ScenarioLoad,
  ScenarioStretch,
  ScenarioErrors,
} from "@postrider/relay/settings";
import type { RateLimit, ReplayFilter, Retention, Regulation } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";

/** The parts of a simulation: receivers, calls, faults, and the seed of all random choices. */
export interface SimulationOptions {
  /** Any whole number: it determines all random choices. 1 if left out. */
  readonly seed?: number;
  /** The delivery settings that differ from the defaults. */
  readonly policy?: Scenario["policy"];
  /** The receivers of each destination, by its id: one, or up to five, each behind a separate endpoint. */
  readonly receivers: Readonly<Record<string, SimulatedReceiver | readonly SimulatedReceiver[]>>;
  /** The rate limits of destinations, by their ids; none if left out. */
  readonly rateLimits?: Readonly<Record<string, RateLimit>>;
  /** The hours for which finished deliveries are kept, as far as they differ from the defaults. */
  readonly retention?: Partial<Retention>;
  readonly faults?: readonly SimulatedFault[];
  /** The longest time that the store takes for an operation while it is healthy; 3 ms if left out. */
  readonly storeLatencyMs?: number;
  /**
   * Several servers on one store, 1 to 8 of them, and their faults; `faults` then has only those of the store and of destinations.
   * One server with a right clock if left out.
   */
  readonly servers?: readonly SimulatedServer[];
  /** Audiences and computed traits by their keys, which are small letters; none if left out. */
  readonly audiences?: Readonly<Record<string, SimulatedAudience>>;
  /** The pauses of operators, each of a destination; none if left out. An operator asks again until it is answered. */
  readonly operatorPauses?: readonly SimulatedPause[];
  /** The replay jobs that operators start; none if left out. An operator asks again until it is answered. */
  readonly replays?: readonly SimulatedReplay[];
  /** The test events that operators send, each once; none if left out. */
  readonly tests?: readonly SimulatedTest[];
  /** Requests about users of the audiences; none if left out. */
  readonly deletions?: readonly SimulatedDeletion[];
  /** 50 calls within a minute if left out. */
  readonly load?: SimulatedLoad;
  /** The wall clock at the start, in milliseconds since 1970; 2026-01-01T00:00:00Z if left out. */
  readonly wallAtStart?: number;
  /** Called 20 times in all with the progress, until the faults and the load are over. */
  readonly onProgress?: (progress: SimulationProgress) => void;
}

/** The span for which an operator pauses a destination. */
interface SimulatedPause extends ScenarioStretch {
  readonly destination: string;
}

/** A job that replays all finished deliveries of a destination in these states; of all destinations if none is named. */
export interface SimulatedReplay {
  readonly atMs: number;
  readonly destination?: string;
  readonly states: ReplayFilter["states"];
  /** The time after which the operator cancels it, unless it has ended. Never if left out. */
  readonly cancelAfterMs?: number;
}

/** A test event to a destination. */
export interface SimulatedTest {
  readonly atMs: number;
  readonly destination: string;
}

/** Calls spread evenly over a time, one in an arrival if `perArrival` is left out. */
export interface SimulatedLoad extends Omit<ScenarioLoad, "perArrival">, Partial<Pick<ScenarioLoad, "perArrival">> {
  /** The share of destinations that the `integrations` of a call switch off, from 0 (the default) to 1. */
  readonly leftOut?: number;
  /** The share of calls that hosts add to the outbox of the store in transactions, from 0 (the default) to 1. Some are rolled back. */
  readonly inTransactions?: number;
  /** The share of calls that their caller sends once more after they were accepted, from 0 (the default) to 1. */
  readonly repeated?: number;
}

/** The progress of a simulation up to the end of its faults and its load. */
export interface SimulationProgress {
  readonly elapsedMs: number;
  readonly ofMs: number;
  /** Calls that were stored. */
  readonly calls: number;
  /** Deliveries that are delivered or dead. */
  readonly finished: number;
}

/** A receiver: what it usually does, and when it does something else. */
export interface SimulatedReceiver {
  /** Answers 200 after 20 ms if left out. */
  readonly usually?: ReceiverBehaviour;
  /** If two overlap, the later one in the list applies. */
  readonly spells?: readonly ReceiverSpell[];
  /** The most milliseconds by which an answer is delayed at random; 0 if left out. */
  readonly spreadMs?: number;
}

/** A stretch of time in which a receiver does something other than `usually`. */
export interface ReceiverSpell extends ScenarioStretch {
  readonly behaviour: ReceiverBehaviour;
}

/** `mixed`: each request gets one of these by chance. */
export type ReceiverBehaviour =
  ScriptedReply | { readonly kind: "mixed"; readonly of: readonly ScriptedReply[] } | TroubledBehaviour;

/** Answers as `usually` says, except for these troubles. */
export interface TroubledBehaviour extends Partial<ScenarioErrors> {
  readonly kind: "troubled";
  readonly usually: ScriptedReply;
}

/** Something that goes wrong in a simulation: a fault of a scenario file, or one that only programs can describe. */
export type SimulatedFault =
  | Exclude<ScenarioFault, { readonly kind: "crash" | "stop" }>
  /** A crash or a stop as in a scenario file; if `step` is given, at that step. */
  | ({ readonly kind: "crash" | "stop"; readonly step?: CrashStep } & ScenarioDowntime)
  /**
   * The process is frozen, as by SIGSTOP, and another takes over. After `forMs` the frozen process continues, and both
   * run for a while. If `step` is given, it is frozen at that step.
   */
  | { readonly kind: "freeze"; readonly atMs: number; readonly forMs: number; readonly step?: CrashStep }
  | LateAnswers
  /** The thread that sends the requests of a process dies, and all of them that are open fail; another one runs after `downMs`. */
  | { readonly kind: "sender"; readonly atMs: number; readonly downMs: number }
  /** The settings of a destination are other ones for a while. Of several servers, each learns of that a moment after the one before. */
  | ({ readonly kind: "settings" } & SimulatedChange & ScenarioStretch);

/**
 * Some answers of the store are late, as over a bad connection: each with the probability `share`, by up to `byMs`. What was asked
 * takes effect before or after that time. The clock of the store is not late.
 */
export interface LateAnswers extends ScenarioStretch {
  readonly kind: "late-answers";
  readonly share: number;
  readonly byMs: number;
}

/** The settings of a destination that are other than at the start; what is left out is as it was. */
export interface ChangedSettings {
  /** The receivers that are its endpoints, by their places in `receivers`; the others are asked no more. */
  readonly receivers?: readonly number[];
  /** Null: it has no limit. */
  readonly rateLimit?: RateLimit | null;
  /** The secret that signs its requests. Without one they are not signed. */
  readonly secret?: string;
  /** The state of the destination: not connected to the source, switched off, paused, or not in the settings. */
  readonly is?: "unconnected" | "off" | "paused" | "removed";
}

/** A change, and the destination that it is about. Compared by identity, since two may be alike. */
export interface SimulatedChange {
  readonly destination: string;
  readonly sets: ChangedSettings;
}

/** One of several servers: a relay on a machine whose monotonic clock is right, since a drift matters little within a lease. */
export interface SimulatedServer {
  /** By how much its wall clock is ahead of true time at the start, below 0 if it is behind. 0 if left out. */
  readonly aheadMs?: number;
  /** The milliseconds that its wall clock gains in a million, below 0 if it loses some. 0 if left out. */
  readonly driftPpm?: number;
  /** False: it stores what it accepts, and leaves it to the others, of which one at least delivers. True if left out. */
  readonly delivers?: boolean;
  /** The faults of this server, while the others go on. */
  readonly faults?: readonly ServerFault[];
}

/** A fault of one of several servers. */
export type ServerFault = Exclude<SimulatedFault, { readonly kind: "store" | "closed" | "settings" }>;

/**
 * The steps at which a crash can kill a process, a stop can begin, or a process can be frozen: at the first such step after `atMs`, or
 * ten seconds after `atMs` if no process has come to the step. `-asked`: before the commit or claim takes effect. `-done`: after it took effect,
 * before the process has the answer. `request-sent`: when a request would leave, so that no receiver gets it.
 * `reply-come`: before the process gets a reply. `audience-asked`, `audience-done`: a change of the store of audiences.
 */
export const CRASH_STEPS = [
  "commit-asked",
  "commit-done",
  "claim-asked",
  "claim-done",
  "request-sent",
  "reply-come",
  "audience-asked",
  "audience-done",
] as const;

/** The steps of deliveries; the others are those of audiences. */
export const DELIVERY_STEPS: readonly CrashStep[] = CRASH_STEPS.slice(0, 6);

/** The step of the relay at which a simulated fault happens. */
export type CrashStep = (typeof CRASH_STEPS)[number];

/**
 * An audience or a computed trait that is synced again and again. The host replaces all of its members each time, and asks
 * again until the sync is answered, as after a crash.
 */
export interface SimulatedAudience {
  readonly kind: "audience" | "trait";
  /** The kind of call that delivers a change. */
  readonly sendsAs: "identify" | "track";
  /** The ids of destinations that have receivers, at least one. */
  readonly destinations: readonly string[];
  /** The number of users, whose numbers begin at 0. About half of them are members at first. */
  readonly users: number;
  /** The share of users that enter or leave from one sync to the next, or have another value, from 0 to 1. */
  readonly turnover: number;
  /** The number of syncs, one after the other. */
  readonly syncs: number;
  /** The start of the first sync. */
  readonly firstAtMs: number;
  /** The least time from the beginning of one sync to that of the next. */
  readonly everyMs: number;
  /** The longest time by which the host delays each tenth member that it gives; 0 if left out. */
  readonly givesWithinMs?: number;
}

/** A request about users of audiences, such as to delete them. */
export interface SimulatedDeletion {
  readonly atMs: number;
  readonly regulation: Regulation;
  /** The numbers of the users. */
  readonly users: readonly number[];
}

/** The most users of a simulated audience. */
export const MAX_SIMULATED_USERS = 10_000;

/** The user id of a number. The order of user ids is not that of their numbers. */
export function userOf(number: number): string {
  return `member-${String((number * 7_919) % MAX_SIMULATED_USERS)}`;
}
