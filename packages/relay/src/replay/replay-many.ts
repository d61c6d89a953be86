// Delivers a finished delivery again: a new delivery of the same bytes, without dedupe and routing, with a new window.
// A bulk replay takes only dead deliveries that were not replayed before, so a repeated request continues where the
// previous one ended.

import type {
  DeliveryId,
  DeliveryRecord,
  DeliverySummary,
  ListQuery,
  DestinationId,
  EpochMs,
  InitialState,
  Replay,
} from "@postrider/core";
import { defined, startDelivery } from "@postrider/core/engine";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { SettingsInForce } from "../settings-in-force.js";
import { toRelayFault, type StoreFault } from "../fault.js";
import type { Storage } from "../commits/storage.js";
import { DEFAULT_REPLAY, MAX_REPLAY, DELIVERIES_PER_SLICE } from "../limits.js";
import type { ReplayManyResult, ReplayFault, ReplayRequest } from "../relay.js";
import { type ArrivalContext, laneOnArrival } from "../intake/reserve.js";
import type { DeliveryInEvent, EmitEvent } from "../relay-event.js";
import { type NewEntry, withdrawEntry } from "../lanes/lane.js";
import type { Commits } from "../commits/commits.js";

/** A list does not show the size of a body, so the bytes of a lane lack its replays until the store tells them. */
const UNKNOWN_SIZE = 0;

interface ReplayContext extends StoreReplaysContext {
  readonly storage: Storage;
  readonly settings: SettingsInForce;
}

/** Replays one delivery. */
export function replayOne(context: ReplayContext, id: DeliveryId): ResultAsync<DeliveryId, ReplayFault> {
  return context.storage
    .ask((store) => store.find(id))
    .mapErr((fault): ReplayFault => toRelayFault(fault))
    .andThen((record) => checkReplayable(context.settings, record))
    .andThen((record) => storeReplays(context, [record], {}).mapErr((fault): ReplayFault => toRelayFault(fault)))
    .andThen(([replayed]) => (replayed === undefined ? whyNot(context.storage, id) : okAsync(replayed)));
}

/** The reason for which a finished delivery could not be replayed: it was removed, or a deletion has purged its body. */
function whyNot(storage: Storage, id: DeliveryId): ResultAsync<DeliveryId, ReplayFault> {
  return storage
    .ask((store) => store.find(id))
    .mapErr((fault): ReplayFault => toRelayFault(fault))
    .andThen((record) => err<DeliveryId, ReplayFault>({ code: record === undefined ? "not-found" : "purged" }));
}

function checkReplayable(
  settings: SettingsInForce,
  record: DeliveryRecord | undefined,
): Result<DeliveryRecord, ReplayFault> {
  if (record === undefined) return err({ code: "not-found" });
  if (record.state !== "delivered" && record.state !== "dead") return err({ code: "not-finished" });
  if (record.body === undefined) return err({ code: "purged" });
  return settings.destination(record.destination) === undefined ? err({ code: "destination-removed" }) : ok(record);
}

/** Replays dead deliveries of one destination, newest first. */
export function replayMany(context: ReplayContext, request: ReplayRequest): ResultAsync<ReplayManyResult, ReplayFault> {
  if (context.settings.destination(request.destination) === undefined) {
    return errAsync({ code: "destination-removed" });
  }
  return new ResultAsync(replayPages(context, request));
}

type ReplayPagesContext = Omit<ReplayContext, "settings">;

async function replayPages(
  context: ReplayPagesContext,
  request: ReplayRequest,
): Promise<Result<ReplayManyResult, ReplayFault>> {
  const limit = Math.min(MAX_REPLAY, request.limit ?? DEFAULT_REPLAY);
  let replayed = 0;
  let after: string | undefined;
  do {
    const query = {
      ...queryOf(request),
      limit: Math.min(DELIVERIES_PER_SLICE, limit - replayed),
      ...defined({ after }),
    };
    const page = await context.storage.ask((store) => store.list(query)).mapErr(toRelayFault);
    if (page.isErr()) return err(page.error);
    const deliveries = page.value.deliveries.filter(({ reason }) => reason !== "purged");
    const result = await storeReplays(context, deliveries, { once: true }).mapErr(toRelayFault);
    if (result.isErr()) return err(result.error);
    replayed += result.value.length;
    after = page.value.next;
  } while (after !== undefined && replayed < limit);
  return ok({ replayed, more: after !== undefined });
}

function queryOf({ destination, reason, since, until }: ReplayRequest): Omit<ListQuery, "limit"> {
  return {
    states: ["dead"],
    destination,
    notReplayed: true,
    ...defined({ reason, acceptedSince: since, acceptedBefore: until }),
  };
}

/** Needed to store replays, which become deliveries that wait in their lanes. */
interface StoreReplaysContext extends ArrivalContext {
  readonly commits: Commits;
  readonly emit: EmitEvent;
}

/**
 * Replays these deliveries in one commit. Answers the ids of the replays: one that was purged or removed meanwhile has none, nor,
 * if each is to be replayed `once`, has one that was replayed.
 */
export function storeReplays(
  context: StoreReplaysContext,
  deliveries: readonly DeliverySummary[],
  once: Pick<Replay, "once">,
): ResultAsync<readonly DeliveryId[], StoreFault> {
  if (deliveries.length === 0) return okAsync([]);
  const nowMs: EpochMs = context.clock.wall();
  const replays = deliveries.map((original) => beginReplay(context, original, nowMs));
  const replay = replays.map(({ original, start }) => ({ of: original.id, start, ...once }));
  return context.commits
    .write({ replay })
    .map(({ replayed }) => {
      for (const [index, begun] of replays.entries()) endReplay(context, begun, { id: replayed[index], now: nowMs });
      return replayed.filter((id) => id !== undefined);
    })
    .mapErr((fault) => {
      for (const { entry } of replays) if (entry !== undefined) withdrawEntry(entry);
      return fault;
    });
}

/** A replay that is about to be stored. */
interface BegunReplay {
  readonly original: DeliverySummary;
  readonly start: InitialState;
  /** Counts it in its lane; undefined if it is dead from the beginning. */
  readonly entry: NewEntry | undefined;
}

function beginReplay(context: ArrivalContext, original: DeliverySummary, now: EpochMs): BegunReplay {
  const { destination } = original;
  const start = startOf(context, destination, now);
  const entry = start.kind === "dead" ? undefined : context.lanes.add(destination, UNKNOWN_SIZE);
  return { original, start, entry };
}

interface StoredReplay {
  readonly id: DeliveryId | undefined;
  readonly now: EpochMs;
}

/** Reports a replay, and tells its lane the time at which it is due; if the lane was full, reports it as dead. */
function endReplay(
  { lanes, emit }: Pick<StoreReplaysContext, "lanes" | "emit">,
  { original: { id: of, destination, source, type, messageId }, start, entry }: BegunReplay,
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

/** The first state of a replay: it waits until it is claimed, or is dead if its lane is full. */
function startOf(context: ArrivalContext, destination: DestinationId, now: EpochMs): InitialState {
  return startDelivery({ ...laneOnArrival(context, destination), free: 0 }, UNKNOWN_SIZE, now);
}
