// Stores replays: new deliveries of the messages of finished ones, which wait in their lanes like all others.

import type { DeliveryId, DeliverySummary, DestinationId, EpochMs, InitialState } from "@postrider/core";
import { startDelivery } from "@postrider/core/engine";
import { okAsync, type ResultAsync } from "neverthrow";
import { type ArrivalContext, laneOnArrival } from "../intake/reserve.js";
import type { DeliveryInEvent, EmitEvent } from "../relay-event.js";
import { type NewEntry, withdrawEntry } from "../lanes/lane.js";
import type { Commits } from "../commits/commits.js";
import type { StoreFault } from "../fault.js";

/** Needed to store replays, which become deliveries that wait in their lanes. */
export interface StoreReplaysContext extends ArrivalContext {
  readonly commits: Commits;
  readonly emit: EmitEvent;
}

/** Replays these deliveries in one commit. Answers the ids of the replays; what was purged or removed meanwhile has none. */
export function storeReplays(
  context: StoreReplaysContext,
  deliveries: readonly DeliverySummary[],
): ResultAsync<readonly DeliveryId[], StoreFault> {
  if (deliveries.length === 0) return okAsync([]);
  const now: EpochMs = context.clock.wall();
  const begun = deliveries.map((of) => beginReplay(context, of, now));
  const replay = begun.map(({ of, start }) => ({ of: of.id, start }));
  return context.commits
    .write({ replay })
    .map(({ replayed }) => {
      for (const [index, one] of begun.entries()) endReplay(context, one, { id: replayed[index], now });
      return replayed.filter((id) => id !== undefined);
    })
    .mapErr((fault) => {
      for (const { entry } of begun) if (entry !== undefined) withdrawEntry(entry);
      return fault;
    });
}

/** A replay that is about to be stored. */
interface BegunReplay {
  readonly of: DeliverySummary;
  readonly start: InitialState;
  /** Counts it in its lane; undefined if it is dead from the beginning. */
  readonly entry: NewEntry | undefined;
}

function beginReplay(context: ArrivalContext, of: DeliverySummary, now: EpochMs): BegunReplay {
  const start = startOf(context, of.destination, now);
  return { of, start, entry: start.kind === "dead" ? undefined : context.lanes.add(of.destination, UNKNOWN_SIZE) };
}

interface StoredReplay {
  readonly id: DeliveryId | undefined;
  readonly now: EpochMs;
}

/** Reports a replay, and tells its lane the time at which it is due; if the lane was full, reports it as dead. */
function endReplay(
  { lanes, emit }: Pick<StoreReplaysContext, "lanes" | "emit">,
  { of: { id: of, destination, source, type, messageId }, start, entry }: BegunReplay,
  { id, now }: StoredReplay,
): void {
  if (id === undefined) {
    if (entry !== undefined) withdrawEntry(entry);
    return;
  }
  const facts: DeliveryInEvent = { delivery: id, destination, source, type, messageId, acceptedAt: now, rounds: 0 };
  emit({ kind: "replayed", ...facts, of });
  if (start.kind === "dead") emit({ kind: "died", ...facts, reason: start.reason, detail: null });
  if (start.kind === "waiting") lanes.due(destination, start.dueAt);
}

/** A list does not show the size of a body, so the bytes of a lane lack its replays until the store tells them. */
const UNKNOWN_SIZE = 0;

/** The first state of a replay: it waits until it is claimed, or is dead if its lane is full. */
function startOf(context: ArrivalContext, destination: DestinationId, now: EpochMs): InitialState {
  return startDelivery({ ...laneOnArrival(context, destination), free: 0 }, UNKNOWN_SIZE, now);
}
