// A very simple delivery store: a list of deliveries that is never shortened, and a list of counts. Each query goes
// through the whole list. Shares no code with a store, so that both are unlikely to have the same defect. Changes of
// deliveries are in moves.ts.

import { defined } from "@postrider/core/engine";
import {
  type AttemptRecord,
  type Counts,
  type DeadReason,
  type DeliveryId,
  type DeliveryRecord,
  type DeliveryState,
  type DeliverySummary,
  type DestinationId,
  type EndpointState,
  type EpochMs,
  epochMs,
  type LaneRow,
  type LeaseToken,
  type ListQuery,
  type NewMessage,
  NO_COUNTS,
  type SourceCounts,
  type SourceId,
} from "@postrider/core";

export interface Model {
  /** All deliveries, oldest first; swept deliveries stay in the list. */
  readonly deliveries: ModelDelivery[];
  /** Every message that was stored, and when. */
  readonly seen: { readonly message: NewMessage; readonly at: EpochMs }[];
  /** All counts that do not follow from the states of the deliveries. */
  readonly tallied: TalliedCount[];
  /** The cursors of earlier pages. */
  readonly cursors: ModelCursor[];
}

export interface ModelDelivery {
  /** Chosen by the store. */
  readonly id: DeliveryId;
  readonly message: NewMessage;
  readonly destination: DestinationId;
  readonly acceptedAt: EpochMs;
  readonly replayOf?: DeliveryId;
  state: DeliveryState;
  /** Waiting: when it is due. Claimed: when its lease ends. Delivered or dead: when it finished. */
  at: EpochMs;
  token?: LeaseToken;
  reason?: DeadReason;
  detail?: string;
  rounds: number;
  firstAttemptAt?: EpochMs;
  endpoints: readonly EndpointState[];
  attempts: readonly AttemptRecord[];
  isSwept: boolean;
}

export interface TalliedCount {
  readonly source: SourceId;
  readonly name: "received" | "filtered" | "duplicates" | "refused" | "suppressed" | "shed";
  readonly count: number;
}

export interface ModelCursor {
  readonly after: string;
  readonly query: Omit<ListQuery, "after" | "limit">;
  readonly lastShown: DeliveryId;
}

export function emptyModel(): Model {
  return { deliveries: [], seen: [], tallied: [], cursors: [] };
}

export function isUnfinished({ state }: ModelDelivery): boolean {
  return state === "waiting" || state === "claimed";
}

/** The result of `find`, except for the order of attempts that start together at one endpoint. */
export function recordOf(delivery: ModelDelivery): DeliveryRecord | undefined {
  const { message, attempts, endpoints, isSwept } = delivery;
  return isSwept ? undefined : { ...summaryOf(delivery), body: message.body, attempts, endpoints };
}

export function summaryOf(delivery: ModelDelivery): DeliverySummary {
  const { id, message, destination, acceptedAt, replayOf, state, at, reason, detail, attempts } = delivery;
  const { source, type, messageId } = message;
  return {
    ...{ id, state, source, destination, type, messageId, acceptedAt, attemptCount: attempts.length },
    ...(isUnfinished(delivery) ? { dueAt: at } : {}),
    ...defined({ reason, detail, replayOf }),
  };
}

/** The complete list for a query, newest first. */
export function listOf(model: Model, query: Omit<ListQuery, "limit">): readonly ModelDelivery[] {
  const { acceptedSince = -Infinity, acceptedBefore = Infinity, notReplayed = false } = query;
  const shown = model.deliveries.filter((delivery) => {
    if (delivery.isSwept || !isAsked(delivery, query)) return false;
    if (notReplayed && model.deliveries.some(({ replayOf }) => replayOf === delivery.id)) return false;
    return acceptedSince <= delivery.acceptedAt && delivery.acceptedAt < acceptedBefore;
  });
  return shown.toReversed();
}

const ASKED = ["state", "reason", "source", "destination", "type", "messageId"] as const;

function isAsked(delivery: ModelDelivery, query: Omit<ListQuery, "limit">): boolean {
  const summary = summaryOf(delivery);
  return ASKED.every((name) => query[name] === undefined || query[name] === summary[name]);
}

/** Deliveries of a lane that are not finished. */
export function unfinishedIn(model: Model, lane: DestinationId): readonly ModelDelivery[] {
  return model.deliveries.filter((delivery) => isUnfinished(delivery) && delivery.destination === lane);
}

/** When the earliest of these can be claimed. */
export function earliestAt(deliveries: readonly ModelDelivery[]): EpochMs {
  return epochMs(Math.min(...deliveries.map(({ at }) => at)));
}

export function lanesOf(model: Model): readonly LaneRow[] {
  const lanes = new Set(model.deliveries.filter(isUnfinished).map(({ destination }) => destination));
  return [...lanes].sort().map((lane) => {
    const held = unfinishedIn(model, lane);
    const bytes = held.reduce((sum, { message }) => sum + message.body.length, 0);
    return { lane, deliveries: held.length, bytes, nextDueAt: earliestAt(held) };
  });
}

/** The counters of each source for which anything was counted. */
export function modelCounts(model: Model): readonly SourceCounts[] {
  const tallied = model.tallied.filter(({ count }) => count > 0);
  const sources = [...model.deliveries.map(({ message }) => message.source), ...tallied.map(({ source }) => source)];
  return [...new Set(sources)].sort().map((source) => ({ source, ...recount(model, source) }));
}

function recount(model: Model, source: SourceId): Counts {
  const counts = { ...NO_COUNTS } as { -readonly [Name in keyof Counts]: number };
  for (const { state, message } of model.deliveries) if (message.source === source) counts[state] += 1;
  for (const { name, count, ...of } of model.tallied) if (of.source === source) counts[name] += count;
  return { ...counts, accepted: counts.filtered + counts.waiting + counts.claimed + counts.delivered + counts.dead };
}
