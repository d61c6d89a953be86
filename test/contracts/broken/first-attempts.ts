// Stores that report a wrong first attempt of their lanes.

import type { DeliveryStore, DestinationId, EpochMs, LaneRow } from "@postrider/core";
import { defined } from "@postrider/core/engine";

const ALL = 100_000;

/** Reports 0 if none was tried. */
export function sayingZero(store: DeliveryStore): DeliveryStore {
  return tellingFirsts(store, ({ firstAttemptAt }) => Promise.resolve(firstAttemptAt ?? (0 as EpochMs)));
}

/** Reports the first attempt of the delivery that was stored first. */
export function lookingAtTheOldest(store: DeliveryStore): DeliveryStore {
  return tellingFirsts(store, async ({ lane }) => (await startsIn(store, lane, isUnfinished)).at(-1));
}

/** Reports the earliest attempt of all, late ones too. */
export function countingAllAttempts(store: DeliveryStore): DeliveryStore {
  return tellingFirsts(store, async ({ lane }) => earliest(await startsIn(store, lane, isUnfinished)));
}

/** Reports the earliest that there ever was. */
export function neverLater(store: DeliveryStore): DeliveryStore {
  return tellingFirsts(store, async ({ lane }) => earliest(await startsIn(store, lane, () => true)));
}

/** Takes a replay for tried, since its original was. */
export function inheritingAttempts(store: DeliveryStore): DeliveryStore {
  return tellingFirsts(store, async ({ lane, firstAttemptAt }) => {
    const { deliveries } = await store.list({ destination: lane, limit: ALL });
    const originals = deliveries.flatMap(({ replayOf }) => replayOf ?? []);
    const records = await Promise.all(originals.map((id) => store.find(id)));
    return firstAttemptAt ?? earliest(records.flatMap((record) => record?.attempts[0]?.startedAt ?? []));
  });
}

/** Looks at waiting deliveries only. */
export function passingOverClaims(store: DeliveryStore): DeliveryStore {
  return tellingFirsts(store, async ({ lane, firstAttemptAt }) => {
    const starts = await startsIn(store, lane, (state) => state === "waiting");
    return starts.length === 0 ? undefined : firstAttemptAt;
  });
}

function isUnfinished(state: string): boolean {
  return state === "waiting" || state === "claimed";
}

type TellFirst = (row: LaneRow) => Promise<EpochMs | undefined>;

function tellingFirsts(store: DeliveryStore, tell: TellFirst): DeliveryStore {
  return {
    ...store,
    lanes: async (page, now) => {
      const { lanes, more } = await store.lanes(page, now);
      const rows = lanes.map(async (row): Promise<LaneRow> => {
        const { lane, deliveries, bytes, nextDueAt } = row;
        return { lane, deliveries, bytes, nextDueAt, ...defined({ firstAttemptAt: await tell(row) }) };
      });
      return { lanes: await Promise.all(rows), more };
    },
  };
}

/** The start of the earliest attempt of each delivery in such a state, newest delivery first. */
async function startsIn(
  store: DeliveryStore,
  lane: DestinationId,
  counts: (state: string) => boolean,
): Promise<readonly EpochMs[]> {
  const { deliveries } = await store.list({ destination: lane, limit: ALL });
  const ids = deliveries.filter(({ state }) => counts(state)).map(({ id }) => id);
  const records = await Promise.all(ids.map((id) => store.find(id)));
  return records.flatMap((record) => record?.attempts[0]?.startedAt ?? []);
}

function earliest(instants: readonly EpochMs[]): EpochMs | undefined {
  return instants.length === 0 ? undefined : (Math.min(...instants) as EpochMs);
}
