// Series of a real registry that is told events, with a snapshot whenever a test takes one.

import {
  deliveryId,
  destinationId,
  endpointId,
  type EpochMs,
  epochMs,
  type LaneStatus,
  sourceId,
} from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { createRegistry, createSeries, type Registry, type Series } from "@postrider/relay/metrics";

/** A full 5 minutes. */
export const START = 1_800_000_000_000;

const ABOUT = {
  delivery: deliveryId("d1"),
  source: sourceId("site"),
  type: "track",
  messageId: "m1",
  rounds: 0,
} as const;

export interface ObservedSeries {
  readonly series: Series;
  observe(event: RelayEvent): void;
  /** Sets how many deliveries wait for a destination, from the next snapshot on. */
  wait(destination: string, deliveries: number): void;
  /** Lets time pass, or go back, and takes a snapshot. */
  take(afterMs?: number): void;
  /** From now on another registry counts, from 0. */
  restart(): void;
}

export function createObservedSeries(startsAt = START): ObservedSeries {
  const series = createSeries();
  const waiting = new Map<string, number>();
  let registry: Registry = createRegistry();
  let now = startsAt;
  return {
    series,
    observe: (event) => registry.observe(event),
    wait: (destination, deliveries) => void waiting.set(destination, deliveries),
    take: (afterMs = 0) => {
      now += afterMs;
      const lanes = [...waiting].map(([lane, deliveries]) => laneOf(lane, deliveries));
      series.take(registry.snapshot(lanes, epochMs(now)), epochMs(now));
    },
    restart: () => {
      registry = createRegistry();
    },
  };
}

function laneOf(lane: string, deliveries: number): LaneStatus {
  const about = { lane: destinationId(lane), mode: "open", pausedBy: [], endpointHolds: [] } as const;
  return { ...about, deliveries, bytes: 0, inFlight: 0, limit: 0, deaths: 0 };
}

export function delivered(destination = "crm", afterMs = 20): RelayEvent {
  const at = epochMs(START + afterMs);
  return {
    kind: "delivered",
    ...ABOUT,
    acceptedAt: epochMs(START),
    destination: destinationId(destination),
    detail: "200",
    at,
  };
}

export function retried(destination = "crm"): RelayEvent {
  const about = { ...ABOUT, acceptedAt: epochMs(START), destination: destinationId(destination) };
  return { kind: "rescheduled", ...about, dueAt: epochMs(START), detail: "503", at: epochMs(START) };
}

export function died(destination = "crm", reason: "expired" | "refused" = "expired", deliveries = 1): RelayEvent {
  return { kind: "ended", destination: destinationId(destination), reason, deliveries, at: epochMs(START) };
}

export function attempted(destination = "crm", durationMs = 20, status = 200): RelayEvent {
  const endpoint = endpointId("https://crm.example/hook");
  const result = { kind: "answered", status } as const;
  const attempt = { round: 1, endpoint, startedAt: epochMs(START), durationMs, result, verdict: "retry" } as const;
  const about = { ...ABOUT, acceptedAt: epochMs(START), destination: destinationId(destination) };
  return { kind: "attempted", ...about, attempt, isLate: false, at: epochMs(START) };
}

export function shed(calls: number, source = "site"): RelayEvent {
  return { kind: "shed", source: sourceId(source), calls, at: epochMs(START) };
}

export function accepted(deliveries: number): RelayEvent {
  const ids = Array.from({ length: deliveries }, (_, index) => deliveryId(`d${String(index)}`));
  const about = { source: sourceId("site"), messageId: "m1", filtered: [], at: epochMs(START) };
  return { kind: "accepted", ...about, deliveries: ids };
}

export function timeAt(seconds: number): EpochMs {
  return epochMs(START + seconds * 1_000);
}
