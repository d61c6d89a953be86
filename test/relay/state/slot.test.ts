// The laws of slots, over any steps in any order: each slot ends once, and the counts of a lane are those of its open slots.

import type { DestinationId } from "@postrider/core";
import { MAX_IN_FLIGHT, tokensLeft } from "@postrider/core/engine";
import { createManualClock, createSeededRandom } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLanes, type Lanes } from "../../../packages/relay/src/lanes/lanes.js";
import { finishEntry, withdrawEntry } from "../../../packages/relay/src/lanes/lane.js";
import {
  refundSlot,
  releaseSlot,
  replySlot,
  type Slot,
  startSlot,
  undoSlotStart,
} from "../../../packages/relay/src/lanes/slots.js";

const LANES = ["a", "b"] as DestinationId[];
const RATE_LIMIT = { perSecond: 10, burst: 500 };

type State = "reserved" | "started" | "replied" | "released" | "refunded";

const STEPS = {
  start: startSlot,
  undoStart: undoSlotStart,
  reply: replySlot,
  release: releaseSlot,
  refund: refundSlot,
};
type Step = keyof typeof STEPS;

/** The states in which a step is allowed, and the one that follows. */
const LAWS: Readonly<Record<Step, { readonly from: readonly State[]; readonly to: State }>> = {
  start: { from: ["reserved"], to: "started" },
  undoStart: { from: ["started"], to: "reserved" },
  reply: { from: ["started"], to: "replied" },
  release: { from: ["reserved", "started", "replied"], to: "released" },
  refund: { from: ["reserved"], to: "refunded" },
};

interface Known {
  readonly lane: DestinationId;
  readonly slot: Slot;
  state: State;
}

const anySteps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("reserve" as const), lane: fc.constantFrom(...LANES) }),
    fc.record({
      kind: fc.constantFrom<Step>("start", "undoStart", "reply", "release", "refund"),
      of: fc.nat(),
    }),
  ),
  { maxLength: 200, size: "max" },
);

describe("a slot", () => {
  it("ends once, and refuses every step that is not allowed", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const lanes = createRig();
        const slots: Known[] = [];
        for (const step of steps) {
          if (step.kind === "reserve") {
            slots.push({ lane: step.lane, slot: lanes.reserve(step.lane), state: "reserved" });
            continue;
          }
          const slotModel = slots[step.of % slots.length];
          if (slotModel === undefined) continue;
          const { from, to } = LAWS[step.kind];
          if (from.includes(slotModel.state)) {
            const isFull = countOf(slots, slotModel.lane, "replied") >= lanes.lane(slotModel.lane).pace.limit;
            STEPS[step.kind](slotModel.slot);
            if (step.kind !== "reply" || !isFull) slotModel.state = to;
          } else {
            expect(messageOf(() => STEPS[step.kind](slotModel.slot))).toMatch(
              new RegExp(`^bug: ${step.kind} of a slot that is (reserved|started|replied|ended)$`),
            );
          }
          expectCounts(lanes, slots);
        }
      }),
    );
  });
});

describe("an entry of a lane", () => {
  it("counts its delivery until it ends, which it does once", () => {
    const lanes = createRig();
    const [stored, other] = [lanes.add("a" as DestinationId, 7), lanes.add("a" as DestinationId, 5)];
    expect(lanes.lane("a" as DestinationId)).toMatchObject({ deliveries: 2, bytes: 12 });
    finishEntry(stored);
    withdrawEntry(other);
    expect(lanes.lane("a" as DestinationId)).toMatchObject({ deliveries: 0, bytes: 0 });
    for (const entry of [stored, other])
      expect(messageOf(() => finishEntry(entry))).toBe("bug: an entry of a lane ends twice");
    expect(lanes.lane("a" as DestinationId)).toMatchObject({ deliveries: 0, bytes: 0 });
  });

  it("takes nothing from counts that a poll has set since, if its delivery was not stored", () => {
    const [lanes, lane] = [createRig(), "a" as DestinationId];
    const row = { lane, deliveries: 3, bytes: 30, nextDueAt: createManualClock().wall() };
    const [early, stored] = [lanes.add(lane, 7), lanes.add(lane, 5)];
    lanes.startPoll();
    lanes.refresh(row);
    const late = lanes.add(lane, 2);
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 4, bytes: 32 });
    withdrawEntry(early);
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 4, bytes: 32 });
    withdrawEntry(late);
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 3, bytes: 30 });
    finishEntry(stored);
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 2, bytes: 25 });
  });

  it("does not bring the counts below 0, if its delivery ends before it was counted", () => {
    const [lanes, lane] = [createRig(), "a" as DestinationId];
    finishEntry(lanes.entry(lane, 7));
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 0, bytes: 0 });
    lanes.add(lane, 5);
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 1, bytes: 5 });
  });

  it("takes nothing from a lane that a poll has found empty since", () => {
    const [lanes, lane] = [createRig(), "a" as DestinationId];
    const early = lanes.add(lane, 7);
    lanes.startPoll();
    lanes.emptyAllBut(new Set());
    withdrawEntry(early);
    expect(lanes.lane(lane)).toMatchObject({ deliveries: 0, bytes: 0 });
  });
});

/** The message of the error that is thrown. */
function messageOf(act: () => void): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
  return undefined;
}

function countOf(slots: readonly Known[], lane: DestinationId, state: State): number {
  return slots.filter((one) => one.lane === lane && one.state === state).length;
}

function expectCounts(lanes: Lanes, slots: readonly Known[]): void {
  const isOpen = ({ state }: Known): boolean => state === "reserved" || state === "started";
  for (const id of LANES) {
    const own = slots.filter(({ lane }) => lane === id);
    const { inFlight, running, tokens } = lanes.lane(id);
    expect(inFlight).toBe(own.filter(isOpen).length);
    expect(running).toBe(own.filter(({ state }) => state === "started").length);
    const spent = own.filter(({ state }) => state !== "refunded").length;
    expect(tokensLeft(RATE_LIMIT, tokens, createManualClock().monotonic())).toBe(RATE_LIMIT.burst - spent);
  }
  expect(lanes.freeSlots()).toBe(MAX_IN_FLIGHT - slots.filter(isOpen).length);
}

function createRig(): Lanes {
  const rateLimited = { destination: { rateLimit: RATE_LIMIT } };
  const settings = { isOpen: () => true, destination: () => rateLimited } as unknown as Parameters<
    typeof createLanes
  >[0]["settings"];
  return createLanes({ clock: createManualClock(), random: createSeededRandom(1), settings });
}
