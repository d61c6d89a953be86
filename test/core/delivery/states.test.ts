import {
  DEAD_REASONS,
  DELIVERY_EVENTS,
  DELIVERY_STATES,
  DELIVERY_TABLE,
  type DeliveryEvent,
  type DeliveryState,
  nextState,
} from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const FINAL: readonly DeliveryState[] = ["delivered", "dead"];
const events = () => fc.array(fc.constantFrom(...DELIVERY_EVENTS), { maxLength: 20 });

describe("the table of states", () => {
  it.each([
    ["waiting", "claimed", "claimed"],
    ["waiting", "ended", "dead"],
    ["claimed", "claimed", "claimed"],
    ["claimed", "delivered", "delivered"],
    ["claimed", "rescheduled", "waiting"],
    ["claimed", "released", "waiting"],
    ["claimed", "died", "dead"],
    ["claimed", "ended", "dead"],
  ] as const)("leads from %s by %s to %s", (state, event, next) => {
    expect(nextState(state, event)).toBe(next);
  });

  it("has these eight steps and no other", () => {
    const steps = DELIVERY_STATES.flatMap((state) => DELIVERY_EVENTS.map((event) => nextState(state, event)));
    expect(steps.filter((next) => next !== undefined)).toHaveLength(8);
    expect(Object.keys(DELIVERY_TABLE).sort()).toEqual([...DELIVERY_STATES].sort());
  });

  it("has no transition out of a final state, so that any sequence reaches at most one (law 10)", () => {
    fc.assert(
      fc.property(events(), (way) => {
        const seen = walk("waiting", way);
        const finals = seen.filter((state) => FINAL.includes(state));
        expect(finals.length).toBeLessThanOrEqual(1);
        if (finals.length === 1) expect(FINAL).toContain(seen.at(-1));
      }),
    );
  });

  it("settles only claimed deliveries: a waiting one is never delivered or rescheduled", () => {
    const settling: readonly DeliveryEvent[] = ["delivered", "rescheduled", "released", "died"];
    for (const event of settling) expect(nextState("waiting", event)).toBeUndefined();
  });

  it("has closed sets of states, events and dead reasons (law 15)", () => {
    expect(DELIVERY_STATES).toEqual(["waiting", "claimed", "delivered", "dead"]);
    expect(DELIVERY_EVENTS).toEqual(["claimed", "delivered", "rescheduled", "released", "died", "ended"]);
    expect(DEAD_REASONS).toEqual(["expired", "refused", "lane-full", "purged", "destination-removed"]);
  });
});

/** The states after each event of a sequence. Events that cannot occur are skipped. */
function walk(from: DeliveryState, way: readonly DeliveryEvent[]): readonly DeliveryState[] {
  const seen: DeliveryState[] = [];
  let state = from;
  for (const event of way) {
    const next = nextState(state, event);
    if (next === undefined) continue;
    state = next;
    seen.push(state);
  }
  return seen;
}
