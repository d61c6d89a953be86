// Moves deliveries from state to state by core's table, and puts each into the queue of its state. The counts of
// deliveries by state and the bytes of lanes are changed only here, so that they always agree with the deliveries.

import {
  type DeliveryState,
  type DeliveryEvent,
  type DestinationId,
  type EpochMs,
  NO_COUNTS,
  nextState,
  type SourceId,
} from "@postrider/core";
import type {
  Contents,
  MessageContents,
  MutableNoticeCounts,
  StoredLane,
  MutableCounts,
  StoredDelivery,
} from "./contents.js";
import { createOrderedHeap } from "../ordered-heap.js";
import { createDueQueue } from "./indexes.js";

/**
 * Applies an event to a delivery. `at` becomes, by its new state, its due time, the end of its lease, or the time at
 * which it finished. If the old state does not allow the event, returns false and changes nothing.
 */
export function move(contents: Contents, delivery: StoredDelivery, event: DeliveryEvent, at: EpochMs): boolean {
  const state = nextState(delivery.state, event);
  if (state === undefined) return false;
  leaveState(contents, delivery);
  delivery.state = state;
  delivery.at = at;
  delivery.token = undefined;
  enterState(contents, delivery);
  return true;
}

/** Counts a delivery under its state and puts it into the queue of that state. */
export function enterState(contents: Contents, delivery: StoredDelivery): void {
  const { state, message } = delivery;
  countsOf(contents, message.source)[state] += 1;
  countNotice(contents, message, state);
  if (state === "delivered" || state === "dead") {
    contents.finished[state].add(delivery);
    return;
  }
  const lane = laneOf(contents, delivery.destination);
  contents.changes.note(delivery.destination);
  lane.queue.add(delivery);
  lane.bytes += sizeOf(message);
  addFirstAttempt(lane, delivery);
}

function addFirstAttempt({ firstAttempts }: StoredLane, delivery: StoredDelivery): void {
  const { firstAttemptAt, sequence } = delivery;
  if (firstAttemptAt === undefined) return;
  delivery.firstAttempt = { at: firstAttemptAt, sequence, place: 0 };
  firstAttempts.add(delivery.firstAttempt);
}

/** Subtracts the body of an unfinished delivery from its lane, before the body is removed. */
export function subtractBody(contents: Contents, { destination, message }: StoredDelivery): void {
  contents.changes.note(destination);
  laneOf(contents, destination).bytes -= sizeOf(message);
}

/** The length of the body in bytes; 0 for a purged message. */
export function sizeOf({ body }: MessageContents): number {
  return body?.length ?? 0;
}

/** The counters of a source; for a new source, all are 0. */
export function countsOf(contents: Contents, source: SourceId): MutableCounts {
  const existing = contents.counts.get(source);
  if (existing !== undefined) return existing;
  const counts = { ...NO_COUNTS };
  contents.counts.set(source, counts);
  return counts;
}

function leaveState(contents: Contents, delivery: StoredDelivery): void {
  const { state, message, destination } = delivery;
  countsOf(contents, message.source)[state] -= 1;
  if (state === "delivered" || state === "dead") {
    contents.finished[state].remove(delivery);
    return;
  }
  const lane = laneOf(contents, destination);
  contents.changes.note(destination);
  lane.queue.remove(delivery);
  lane.bytes -= sizeOf(message);
  if (delivery.firstAttempt !== undefined) lane.firstAttempts.remove(delivery.firstAttempt);
  delivery.firstAttempt = undefined;
  if (lane.queue.first() === undefined) contents.lanes.delete(destination);
}

function laneOf(contents: Contents, destination: DestinationId): StoredLane {
  const existing = contents.lanes.get(destination);
  if (existing !== undefined) return existing;
  const lane: StoredLane = { queue: createDueQueue(), firstAttempts: createOrderedHeap(), bytes: 0 };
  contents.lanes.set(destination, lane);
  return lane;
}

/** Counts a notice as stored, delivered or dead; changes nothing for another message or an unfinished state. */
export function countNotice(contents: Contents, message: MessageContents, state: DeliveryState | "stored"): void {
  if (message.deletion === undefined || state === "waiting" || state === "claimed") return;
  const counts = noticeCountsOf(contents, message);
  if (counts !== undefined) counts[state] += 1;
}

function noticeCountsOf(
  { deletions }: Contents,
  { deletion, source }: MessageContents,
): MutableNoticeCounts | undefined {
  const notices = deletion === undefined ? undefined : deletions.requests.get(deletion)?.notices;
  if (notices === undefined) return undefined;
  const counts = notices.get(source) ?? { stored: 0, delivered: 0, dead: 0 };
  notices.set(source, counts);
  return counts;
}
