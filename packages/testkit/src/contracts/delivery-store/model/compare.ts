// Compares the whole visible state of a store with the model: every delivery that was ever stored, the list of all, the
// counters, the lanes. Changes the returned values afterwards: the store must not be affected.

import { defined } from "@postrider/core/engine";
import type { AttemptRecord, DeliveryRecord, DeliveryStore, EpochMs, LaneRow } from "@postrider/core";
import { expectEqual, expectThat } from "../../check.js";
import type { TestedStorage } from "./tested-storage.js";
import { modelCounts, lanesOf, listOf, type Model, recordOf, summaryOf } from "./model.js";

/** More than any run stores. */
const ALL = 1_000;

/** More pages than the lanes of any run need. */
const MAX_PAGES = 50;

/** Throws with the first difference; compares every store that is open on the storage. */
export async function compareWithModel(model: Model, tested: TestedStorage): Promise<void> {
  for (const store of tested.stores()) await compareOne(model, store, tested.now());
}

async function compareOne(model: Model, store: DeliveryStore, now: EpochMs): Promise<void> {
  for (const delivery of model.deliveries) {
    const found = await store.find(delivery.id);
    const seen = inOrder(found, `the attempts of ${delivery.id}`);
    expectEqual(seen, inOrder(recordOf(delivery), ""), `what find shows of ${delivery.id}`);
    found?.body?.fill(0xee);
    for (const { excerpt } of found?.endpoints ?? []) excerpt?.fill(0xee);
  }
  const { deliveries, next } = await store.list({ limit: ALL });
  expectEqual(deliveries, listOf(model, {}).map(summaryOf), "the list of all deliveries");
  expectThat(next === undefined, "the list of all deliveries promises more");
  expectEqual(await countedBy(store), modelCounts(model), "the counters");
  expectEqual(await walkLanes(store, now), lanesOf(model), "the lanes");
}

/**
 * Sorts attempts by start, then by endpoint, then by their JSON text. If `what` is not empty, throws unless the store
 * has ordered the attempts by start and endpoint.
 */
function inOrder(record: DeliveryRecord | undefined, what: string): DeliveryRecord | undefined {
  if (record === undefined) return undefined;
  const attempts = record.attempts.toSorted((one, other) => compareText(JSON.stringify(one), JSON.stringify(other)));
  attempts.sort(byStartThenEndpoint);
  if (what !== "") expectEqual(record.attempts.map(standing), attempts.map(standing), `the order of ${what}`);
  return { ...record, attempts };
}

function standing({ startedAt, endpoint }: AttemptRecord): unknown {
  return { startedAt, endpoint };
}

function byStartThenEndpoint(one: AttemptRecord, other: AttemptRecord): number {
  return one.startedAt - other.startedAt || compareText(one.endpoint, other.endpoint);
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The counters by source, without rows in which all counts are 0: a store may leave such rows out. */
async function countedBy(store: DeliveryStore): Promise<unknown> {
  const rows = (await store.counts()).filter(({ source: _, ...counts }) => Object.values(counts).some((n) => n !== 0));
  return rows.toSorted((one, other) => compareText(one.source, other.source));
}

async function walkLanes(store: DeliveryStore, now: EpochMs): Promise<readonly LaneRow[]> {
  const rows: LaneRow[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = rows.at(-1)?.lane;
    const { lanes, more } = await store.lanes({ limit: 2, ...defined({ after }) }, now);
    rows.push(...lanes);
    if (!more) return rows;
  }
  return rows;
}
