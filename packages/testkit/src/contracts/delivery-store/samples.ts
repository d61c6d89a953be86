// Sample values for cases: outcomes, attempts, endpoints, starts, bytes.

import { defined } from "@postrider/core/engine";
import {
  type AttemptRecord,
  type Body,
  type DestinationId,
  type EndpointId,
  endpointId,
  type EndpointState,
  type EpochMs,
  type NewDelivery,
  type Outcome,
} from "@postrider/core";

export const DELIVERED: Outcome = { kind: "delivered", detail: "200" };
export const DEAD: Outcome = { kind: "dead", reason: "refused", detail: "404" };

export function rescheduledOutcome(dueAt: EpochMs, detail = "503"): Outcome {
  return { kind: "rescheduled", dueAt, detail };
}

export function releasedOutcome(dueAt: EpochMs): Outcome {
  return { kind: "released", dueAt };
}

export function endpoint(name: string): EndpointId {
  return endpointId(`https://${name}.example/hook`);
}

/** An attempt that got a 503, with the given fields changed. */
export function attempt(startedAt: EpochMs, fields: Partial<AttemptRecord> = {}): AttemptRecord {
  const result = { kind: "answered", status: 503 } as const;
  return { round: 1, endpoint: endpoint("a"), startedAt, durationMs: 20, result, verdict: "retry", ...fields };
}

export function endpointState(name: string, refused: boolean, excerpt?: Uint8Array): EndpointState {
  return { endpoint: endpoint(name), refused, ...defined({ excerpt }) };
}

/** An endpoint that has refused, but not for good. */
export function refusingOnce(name: string, refusedAt: EpochMs): EndpointState {
  return { ...endpointState(name, false), refusedAt };
}

export function waitingDelivery(destination: DestinationId, dueAt: EpochMs): NewDelivery {
  return { destination, start: { kind: "waiting", dueAt } };
}

export function claimedDelivery(destination: DestinationId): NewDelivery {
  return { destination, start: { kind: "claimed" } };
}

export function laneFullDelivery(destination: DestinationId): NewDelivery {
  return { destination, start: { kind: "dead", reason: "lane-full" } };
}

/** All 256 byte values, twice; not valid UTF-8. */
export function everyByteValue(): Body {
  return Uint8Array.from({ length: 512 }, (_, index) => (index * 167) % 256) as Body;
}

export function bytes(text: string): Body {
  return new TextEncoder().encode(text) as Body;
}
