// The bound on the relay's work between two returns to the event loop: counted, for requests that go to many destinations.

import type { Changes, Clock, DeliveryStore } from "@postrider/core";
import type { RelayOptions } from "@postrider/relay";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { SLICE_UNITS, ROUND_STARTS_PER_TURN } from "../../packages/relay/src/limits.js";
import { type Rig, createRig, destination, track, WEBSITE } from "./rig.js";

interface Counted extends Rig {
  /** Attempts that began, and rows that were created, in each turn of the loop. */
  readonly begun: number[];
  readonly made: number[];
  stop(): void;
}

/** The rig lets the loop turn between two timers. */
function count(destinations: number, relay: Partial<RelayOptions> = {}): Counted {
  const begun = [0];
  const requestTurns = [0];
  const note = (counts: number[], more: number): void => {
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + more;
  };
  const wrapStore = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: (changes: Changes, now) => {
      note(
        requestTurns,
        changes.accept.reduce((sum, { deliveries }) => sum + deliveries.length, 0),
      );
      return store.commit(changes, now);
    },
  });
  const lanes = Array.from({ length: destinations }, (_, index) => destination(`crm${String(index)}`, ["a"]));
  const receivers = {
    a: (): { status: number } => {
      note(begun, 1);
      return { status: 200 };
    },
  };
  let isOver = false;
  const turn = (): void => {
    begun.push(0);
    requestTurns.push(0);
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    ...createRig({ wrapStore, receivers, relay, destinations: lanes }),
    begun,
    made: requestTurns,
    stop: () => void (isOver = true),
  };
}

function calls(length: number, name = "m"): readonly unknown[] {
  return Array.from({ length }, (_, index) => track({ messageId: `${name}${String(index)}` }));
}

/** All timers without a delay that are set in one turn fire together in the next. */
function togetherClock(): Clock {
  const clock = createSystemClock({ keepsProcess: false });
  let wakes: (() => void)[] = [];
  const fire = (): void => {
    const firing = wakes;
    wakes = [];
    for (const wake of firing) wake();
  };
  return {
    ...clock,
    after: (delayMs, wake) => {
      if (delayMs > 0) return clock.after(delayMs, wake);
      if (wakes.push(wake) === 1) setImmediate(fire);
      return () => undefined;
    },
  };
}

describe("between two returns to the event loop", () => {
  it("no more rounds begin than may begin in a turn, whatever the number of free slots for a call or a claim", async () => {
    const rig = count(1_300);
    await rig.accept(...calls(2));
    await rig.advance(10_000);
    rig.stop();
    expect(rig.seen).toHaveLength(2_600);
    expect(Math.max(...rig.begun)).toBeLessThanOrEqual(ROUND_STARTS_PER_TURN);
  });

  it("no more rows are created than a slice may have, whatever the number of arrivals under way", async () => {
    const rig = count(100, { clock: togetherClock() });
    const arrivals = [0, 1, 2, 3].map((one) =>
      rig.relay().accept({ source: WEBSITE, calls: calls(20, `${String(one)}-`) }),
    );
    // The first slice of each is stored when it arrives.
    const first = rig.made.length;
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(arrivals);
    rig.stop();
    rig.crash();
    expect(rig.made.reduce((sum, rows) => sum + rows, 0)).toBe(8_000);
    expect(Math.max(...rig.made.slice(first))).toBeLessThanOrEqual(SLICE_UNITS);
  });

  it("releases the deliveries that wait to begin when the relay stops, and none of them begins", async () => {
    const rig = count(300);
    const arrival = rig.relay().accept({ source: WEBSITE, calls: [track()] });
    await rig.clock.settle();
    const stopped = rig.relay().stop();
    await rig.advance(1_000);
    rig.stop();
    expect((await arrival).isOk()).toBe(true);
    await stopped;
    const states = (await rig.all()).map(({ state }) => state);
    expect(states.filter((state) => state === "delivered")).toHaveLength(rig.seen.length);
    expect(rig.seen.length).toBeLessThanOrEqual(ROUND_STARTS_PER_TURN);
    expect(states.filter((state) => state === "waiting")).toHaveLength(300 - rig.seen.length);
  });
});
