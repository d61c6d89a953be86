// Describes lanes as a host sees them: those of all destinations in force, and all others that have deliveries. Uses the memory of
// this process, and asks no store.

import {
  type Clock,
  type DeliveryPolicy,
  type Destination,
  type DestinationId,
  type EpochMs,
  epochMs,
  type LaneBackoff,
  type LaneMode,
  type LaneRate,
  type LaneStatus,
  type MonoMs,
  windowEnd,
} from "@postrider/core";
import { defined, nextTokenAt, startableByRate, tokensLeft } from "@postrider/core/engine";
import type { Endpoints } from "./endpoints.js";
import { newLane } from "./lane.js";
import type { ShownLane, Lanes } from "./lanes.js";
import type { OperatorPauses, SettingsInForce } from "../settings-in-force.js";

export interface LaneStatusContext {
  readonly lanes: Pick<Lanes, "all">;
  readonly settings: Pick<SettingsInForce, "workspace" | "destination">;
  readonly endpoints: Pick<Endpoints, "holds">;
  readonly pauses: Pick<OperatorPauses, "has">;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
}

/** In the order of the settings; those that the settings do not have come last. */
export function laneStatuses(context: LaneStatusContext): readonly LaneStatus[] {
  const { lanes, settings } = context;
  const inForce = settings.workspace().destinations.map(({ id }) => id);
  const gone = [...lanes.all().values()].filter(
    ({ lane, deliveries }) => deliveries > 0 && settings.destination(lane) === undefined,
  );
  return [...inForce, ...gone.map(({ lane }) => lane)].map((id) => laneStatusOf(context, id));
}

/** One lane, of which nothing may be known yet. */
export function laneStatusOf(context: LaneStatusContext, id: DestinationId): LaneStatus {
  const { lanes, settings, endpoints, pauses, clock } = context;
  const destination = settings.destination(id)?.destination;
  const terms = { isOpen: destination !== undefined, rateLimit: destination?.rateLimit };
  const lane = lanes.all().get(id) ?? newLane(id, terms, 0);
  const { deliveries, bytes, inFlight, pace, deaths, lastFailure } = lane;
  // An empty lane may still know when a delivery would have been due that has ended since.
  const nextDueAt = deliveries === 0 ? undefined : lane.nextDueAt;
  const instants = createInstants(clock);
  const backoff = backoffOf(lane, instants);
  const pausedBy = [
    ...(destination?.paused === true ? (["settings"] as const) : []),
    ...(pauses.has(id) ? (["operator"] as const) : []),
  ];
  const mode = modeOf({ destination, pausedBy, backoff });
  const endpointHolds = [...endpoints.holds(id)].map(([endpoint, until]) => ({ endpoint, until }));
  const windowEndsAt = windowEndOf(lane, settings.workspace().delivery);
  return {
    lane: id,
    mode,
    pausedBy,
    deliveries,
    bytes,
    inFlight,
    limit: pace.limit,
    deaths,
    endpointHolds,
    ...defined({ backoff, lastFailure, nextDueAt, windowEndsAt, rate: rateOf(lane, instants) }),
  };
}

interface ModeReasons extends Pick<LaneStatus, "pausedBy"> {
  readonly destination: Destination | undefined;
  readonly backoff: LaneBackoff | undefined;
}

function modeOf({ destination, pausedBy, backoff }: ModeReasons): LaneMode {
  if (destination === undefined) return "gone";
  if (!destination.enabled) return "off";
  return pausedBy.length > 0 ? "paused" : (backoff?.kind ?? "open");
}

function windowEndOf({ deliveries, firstAttemptAt }: ShownLane, policy: DeliveryPolicy): EpochMs | undefined {
  return deliveries === 0 || firstAttemptAt === undefined ? undefined : windowEnd(policy, firstAttemptAt);
}

/** Shows instants of the monotonic clock by the wall clock, as both stand now. */
interface Instants {
  readonly now: MonoMs;
  readonly wallOf: (at: MonoMs) => EpochMs;
}

function createInstants(clock: LaneStatusContext["clock"]): Instants {
  const nowMs = clock.monotonic();
  const offsetMs = clock.wall() - nowMs;
  return { now: nowMs, wallOf: (at) => epochMs(Math.ceil(at + offsetMs)) };
}

function backoffOf({ pace, heldAt, lastFailure }: ShownLane, { wallOf }: Instants): LaneBackoff | undefined {
  const { backoff } = pace;
  if (backoff === undefined) return undefined;
  const kind = backoff.reason === "failing" ? "held" : backoff.reason;
  return {
    kind,
    probes: backoff.probes,
    nextProbeAt: wallOf(backoff.probeAt),
    ...defined({
      since: heldAt === undefined ? undefined : wallOf(heldAt),
      detail: kind === "blocked" ? undefined : lastFailure?.detail,
    }),
  };
}

function rateOf(lane: ShownLane, { now, wallOf }: Instants): LaneRate | undefined {
  const { rateLimit, tokens, onBoard } = lane;
  if (rateLimit === undefined) return undefined;
  const { perSecond, burst } = rateLimit;
  if (onBoard !== undefined) {
    const startable = startableByRate(lane, now);
    return { perSecond, burst, left: startable, nextAt: wallOf(startable > 0 ? now : onBoard.leased.askAt) };
  }
  const remaining = tokensLeft(rateLimit, tokens, now);
  return { perSecond, burst, left: remaining, nextAt: wallOf(nextTokenAt(rateLimit, tokens, now)) };
}
