// Reads the clock of a store that has one, and sets the clock of the relay by it: at first before anything else is asked, then at
// intervals. Does not know what the time is used for.

import { ok, type Result, ResultAsync } from "neverthrow";
import type { TimeReading } from "@postrider/core/engine";
import type { EpochMs } from "@postrider/core";
import { GOOD_TIME_ERROR_MS, MAX_TIME_READINGS } from "../limits.js";
import type { StoreClock } from "../state/store-clock.js";
import type { StoreFault } from "./store-fault.js";

/** Reads the store's clock if the last reading is old. Resolves with the fault if it could not be read. */
export type FollowTime = () => ResultAsync<void, StoreFault>;

export interface FollowContext {
  readonly clock: Pick<StoreClock, "monotonic" | "set" | "isOld">;
  readonly askTime: () => ResultAsync<EpochMs, StoreFault>;
}

export function createFollowTime({ clock, askTime }: FollowContext): FollowTime {
  let underWay: Promise<Result<void, StoreFault>> | undefined;

  /** Reads until the time is known well enough. One reading is enough, however long it took; the next ones may be better. */
  async function read(): Promise<Result<void, StoreFault>> {
    const readings: TimeReading[] = [];
    while (readings.length < MAX_TIME_READINGS) {
      const askedAt = clock.monotonic();
      const told = await askTime();
      const answeredAt = clock.monotonic();
      if (told.isErr() && readings.length === 0) return told.map(nothing);
      if (told.isErr()) break;
      readings.push({ askedAt, told: told.value, answeredAt });
      if (answeredAt - askedAt <= 2 * GOOD_TIME_ERROR_MS) break;
    }
    clock.set(readings);
    return ok(undefined);
  }

  return () => {
    if (!clock.isOld()) return new ResultAsync(Promise.resolve(ok(undefined)));
    underWay ??= read().finally(() => {
      underWay = undefined;
    });
    return new ResultAsync(underWay);
  };
}

function nothing(): void {
  // The time is not of interest: it was not told.
}
