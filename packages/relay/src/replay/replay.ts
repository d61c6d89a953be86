// Delivers a finished delivery again: a new delivery of the same bytes, without dedupe and routing, with a new window.
// A bulk replay takes only dead deliveries that were not replayed before, so a repeated request continues where the
// last one ended.

import type { DeliveryId, DeliveryRecord, DeliverySummary, ListQuery } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import type { SettingsInForce } from "../settings-in-force.js";
import { toRelayFault } from "../fault.js";
import type { Storage } from "../commits/storage.js";
import { DEFAULT_REPLAY, MAX_REPLAY, DELIVERIES_PER_SLICE } from "../limits.js";
import type { ReplayManyResult, ReplayFault, ReplayRequest } from "../relay.js";
import { storeReplays, type StoreReplaysContext } from "./store-replays.js";

export interface ReplayContext extends StoreReplaysContext {
  readonly storage: Storage;
  readonly settings: SettingsInForce;
}

/** Replays one delivery. */
export function replayOne(context: ReplayContext, id: DeliveryId): ResultAsync<DeliveryId, ReplayFault> {
  return context.storage
    .ask((store) => store.find(id))
    .mapErr((fault): ReplayFault => toRelayFault(fault))
    .andThen((record) => mayReplay(context.settings, record))
    .andThen((record) => replayAll(context, [record]))
    .andThen(([replayed]) => (replayed === undefined ? whyNot(context.storage, id) : okAsync(replayed)));
}

/** Why a finished delivery could not be replayed: it has been removed, or a deletion has purged its body. */
function whyNot(storage: Storage, id: DeliveryId): ResultAsync<DeliveryId, ReplayFault> {
  return storage
    .ask((store) => store.find(id))
    .mapErr((fault): ReplayFault => toRelayFault(fault))
    .andThen((record) => err<DeliveryId, ReplayFault>({ code: record === undefined ? "not-found" : "purged" }));
}

function mayReplay(settings: SettingsInForce, record: DeliveryRecord | undefined): Result<DeliveryRecord, ReplayFault> {
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
    const done = await replayAll(
      context,
      page.value.deliveries.filter((one) => one.reason !== "purged"),
    );
    if (done.isErr()) return err(done.error);
    replayed += done.value.length;
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

function replayAll(
  context: StoreReplaysContext,
  deliveries: readonly DeliverySummary[],
): ResultAsync<readonly DeliveryId[], ReplayFault> {
  return storeReplays(context, deliveries).mapErr((fault): ReplayFault => toRelayFault(fault));
}
