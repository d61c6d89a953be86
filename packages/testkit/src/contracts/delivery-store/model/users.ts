// The users of the model: which deliveries a request about users puts out of reach, what purging them removes, and in
// which order, once chosen, a store lists the suppressed ones.

import { defined } from "@postrider/core/engine";
import {
  type DeletionId,
  type DeletionRecord,
  effectsOf,
  type EpochMs,
  isAudienceSource,
  type NewDeletion,
  type NoticeCounts,
} from "@postrider/core";
import type { Model, ModelDelivery, ModelMessage, ModelRequest } from "./model.js";
import { expectThat } from "../../check.js";

export function findRequest({ requests }: Model, id: DeletionId): ModelRequest | undefined {
  return requests.find((request) => request.id === id);
}

/** Stores a request, which takes effect at once. */
export function openRequest(model: Model, deletion: NewDeletion, number: number, now: EpochMs): void {
  const { suppression, purges } = effectsOf(deletion.regulation);
  const upTo = model.deliveries.length;
  const progress = { upTo, isPurged: !purges, purged: 0, notified: 0, slices: 0 };
  model.requests.push({ ...deletion, ...progress, number, requestedAt: now, users: deletion.userIds.length });
  if (suppression === null) return;
  const otherUsers = model.suppressed.filter((userId) => !deletion.userIds.includes(userId));
  model.suppressed = suppression === "begins" ? [...otherUsers, ...deletion.userIds] : otherUsers;
}

/** True if the body is purged, or a request that is not purged yet covers the delivery. */
export function isOutOfReach(model: Model, delivery: ModelDelivery): boolean {
  if (delivery.message.isPurged) return true;
  return model.requests.some((request) => !request.isPurged && isCovered(model, request, delivery));
}

/** The messages whose data a request still has to remove, each once. */
export function coveredMessages(model: Model, request: ModelRequest): readonly ModelMessage[] {
  const deliveries = model.deliveries.filter(
    (delivery) => !delivery.isSwept && !delivery.message.isPurged && isCovered(model, request, delivery),
  );
  return [...new Set(deliveries.map(({ message }) => message))];
}

function isCovered(model: Model, { upTo, userIds, ...request }: ModelRequest, delivery: ModelDelivery): boolean {
  const { message } = delivery;
  if (model.deliveries.indexOf(delivery) >= upTo || message.type === "delete") return false;
  if (!message.userIds.some((userId) => userIds.includes(userId))) return false;
  const { sources, regulation } = request;
  if (sources === null || effectsOf(regulation).suppression === "begins") return true;
  return isAudienceSource(message.source) || sources.includes(message.source);
}

/** Removes the data of a message. Returns the number of deliveries that lost their body. */
export function purgeMessage(model: Model, message: ModelMessage, now: EpochMs): number {
  const deliveries = model.deliveries.filter((delivery) => delivery.message === message && !delivery.isSwept);
  for (const delivery of deliveries) {
    delivery.endpoints = delivery.endpoints.map(({ excerpt: _, ...state }) => state);
    if (delivery.state === "waiting") endAsPurged(delivery, now);
    if (delivery.state === "dead") delivery.reason = "purged";
  }
  message.isPurged = true;
  return deliveries.length;
}

/** Ends a delivery that is out of reach; its detail stays. */
export function endAsPurged(delivery: ModelDelivery, now: EpochMs): void {
  Object.assign(delivery, { state: "dead", reason: "purged", at: now });
  delete delivery.token;
}

/** True if a request needs only `finish`, or is finished. */
export function isReadyToFinish({ regulation, isPurged, notified, users }: ModelRequest): boolean {
  return isPurged && (!effectsOf(regulation).notifies || notified >= users);
}

export function requestRecordOf(model: Model, request: ModelRequest): DeletionRecord {
  const { id, number, regulation, sources, requestedAt, finishedAt, users, userIds } = request;
  const { notified, isPurged, purged } = request;
  const fields = { id, number, regulation, sources, requestedAt, users, userIds };
  return { ...fields, ...defined({ finishedAt }), notified, isPurged, purged, notices: noticesOf(model, id) };
}

function noticesOf(model: Model, id: DeletionId): readonly NoticeCounts[] {
  const notices = model.deliveries.filter(({ message }) => message.deletion === id);
  return [...new Set(notices.map(({ message }) => message.source))].sort().map((source) => {
    const states = notices.filter(({ message }) => message.source === source).map(({ state }) => state);
    const count = (state: "delivered" | "dead"): number => states.filter((finalState) => finalState === state).length;
    return { source, stored: states.length, delivered: count("delivered"), dead: count("dead") };
  });
}

/** Notes that the store lists these users in this order; throws if it listed two of them the other way round before. */
export function learnUserOrder(model: Model, users: readonly string[]): void {
  for (const [place, second] of users.entries()) {
    for (const first of users.slice(0, place)) learnPair(model, first, second);
  }
}

/** Notes the order of two users. */
export function learnPair(model: Model, first: string, second: string): void {
  const isReversed =
    first === second || model.userOrder.some(([earlier, later]) => earlier === second && later === first);
  const names = `${JSON.stringify(first)} and ${JSON.stringify(second)}`;
  expectThat(!isReversed, `the suppressed users ${names} are listed in the other order than before`);
  if (model.userOrder.some(([earlier, later]) => earlier === first && later === second)) return;
  model.userOrder.push([first, second]);
}
