// Replays an incident: each segment of its trace on a separate relay, in milliseconds, without a store and without a socket. The caller
// creates the relay, with the code and the settings that are to be tried.

import type { Workspace } from "@postrider/core";
import type { Trace } from "../trace.js";
import { type Departure, describeDeparture, writeInstant } from "./departure.js";
import { type ReplayedRelay, type ReplayPorts, replaySegment, type SegmentEnd } from "./segment-replay.js";

/** A relay event of a replay, and when it was in the incident. */
export interface Happening {
  /** By the wall clock of the incident, in milliseconds since 1970. */
  readonly wallAt: number;
  readonly segment: number;
  /** A `RelayEvent` of `@postrider/relay`. */
  readonly event: unknown;
}

/** The result of a replay. */
export interface TraceReplay {
  /** All relay events up to the departure; those of one delivery, if its id is given. */
  readonly happenings: (delivery?: string) => readonly Happening[];
  /** The first departure of the run from the incident; undefined: it did all that the incident did. */
  readonly diverged: Departure | undefined;
  /**
   * The reasons for which segments were replayed only in part, in words, though nothing differs: the host made a request that no trace has.
   */
  readonly unplayed: readonly string[];
  /** The number of inputs of a relay that were replayed. */
  readonly turns: number;
}

/** The changes to try in place of the settings of the incident. */
export interface ReplayTraceOptions {
  /** Answers the settings to run with in place of these: those of the start, and all that the host put in force later. */
  readonly change?: (recorded: Workspace) => Workspace;
}

/**
 * Replays a trace. `create` creates a relay: `(ports) => createRelay(ports)`. The replay ends where the run departs from the
 * incident, since no port knows an answer any more.
 */
export async function replayTrace(
  trace: Trace,
  create: (ports: ReplayPorts) => ReplayedRelay,
  { change = (recorded) => recorded }: ReplayTraceOptions = {},
): Promise<TraceReplay> {
  const happenings: Happening[] = [];
  const unplayed: string[] = [];
  let diverged: Departure | undefined;
  let turns = 0;

  for (const [segment, recorded] of trace.segments.entries()) {
    const end = await replaySegment({
      segment: recorded,
      hasBodies: trace.bodies === "full",
      create,
      change,
      onEvent: (event, { wall }) => happenings.push({ wallAt: wall, segment, event }),
    });
    turns += end.turns;
    const endTurn = recorded.turns[end.turns];
    if (end.kind === "unknown-call") unplayed.push(whyUnplayed(segment, end, endTurn?.wall ?? 0));
    if (end.kind === "departed" && endTurn !== undefined) {
      diverged = describeDeparture({ segment, turn: end.turns }, endTurn, end);
      break;
    }
  }
  return {
    happenings: (delivery) =>
      delivery === undefined ? happenings : happenings.filter(({ event }) => isAbout(event, delivery)),
    diverged,
    unplayed,
    turns,
  };
}

function whyUnplayed(segment: number, { method }: SegmentEnd & { readonly method: string }, wallAt: number): string {
  const when = `From ${writeInstant(wallAt)} on, segment ${String(segment)}`;
  return `${when} is not replayed: the host called ${method}, and what it gave is not in the trace.`;
}

function isAbout(event: unknown, delivery: string): boolean {
  const { delivery: subject, deliveries } = event as { readonly delivery?: unknown; readonly deliveries?: unknown };
  return subject === delivery || (Array.isArray(deliveries) && deliveries.includes(delivery));
}
