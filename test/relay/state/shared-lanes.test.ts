// The next step of one of several processes in a held lane, by its own requests and by the reports of the others.

import { type BoardRow, type DestinationId, epochMs, plusMs, processId } from "@postrider/core";
import { createManualClock, createSeededRandom } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createLanes } from "../../../packages/relay/src/lanes/lanes.js";

const LANE = "a" as DestinationId;
const [ME, OTHER] = [processId("me"), processId("other")];

/** A lane that is held, whose last probe a process has taken. */
function heldLane(prober: typeof ME) {
  const clock = createManualClock();
  const settings = { isOpen: () => true, destination: () => undefined };
  const lanes = createLanes({ clock, random: createSeededRandom(1), settings, process: ME });
  const shared = lanes.shared!;
  const hear = (by: typeof ME): void => {
    const probeAt = plusMs(clock.wall(), 60_000);
    const row: BoardRow = { lane: LANE, revision: 2, backoff: { probes: 1, probeAt, prober: by }, holds: [] };
    const lane = shared.lane(LANE);
    const backoff = {
      reason: "failing" as const,
      probes: 1,
      probeAt: plusMs(clock.monotonic(), 60_000),
      freshAt: clock.monotonic(),
    };
    shared.apply(lane, { pace: { ...lane.pace, backoff }, holds: new Map(), row, isOwnBackoff: false });
  };
  hear(prober);
  lanes.due(LANE, epochMs(clock.wall() - 1));
  return {
    hear,
    sendsNothingOfTheReceiver: () => {
      lanes.reserve(LANE);
      lanes.roundEnded(LANE, { delivery: "1" as never, isFirst: true, signal: "none" });
    },
    probeNow: () => lanes.probeNow(LANE),
    mayAsk: () => shared.lane(LANE).onBoard?.isHastened,
  };
}

describe("the next probe of a held lane", () => {
  it("may be taken at once if the last one was taken here and said nothing of the receiver", () => {
    const lane = heldLane(ME);
    expect(lane.mayAsk()).toBe(false);
    lane.sendsNothingOfTheReceiver();
    expect(lane.mayAsk()).toBe(true);
  });

  it("may not be taken at once if another process has taken one since", () => {
    const lane = heldLane(ME);
    lane.sendsNothingOfTheReceiver();
    lane.hear(ME);
    expect(lane.mayAsk()).toBe(true);
    lane.hear(OTHER);
    expect(lane.mayAsk()).toBe(false);
  });

  it("may not be taken at once for a probe of another process", () => {
    const lane = heldLane(OTHER);
    lane.sendsNothingOfTheReceiver();
    expect(lane.mayAsk()).toBe(false);
  });

  it("may be taken at once if an operator asks for it, also if another process has taken the last one", () => {
    const lane = heldLane(ME);
    lane.sendsNothingOfTheReceiver();
    lane.probeNow();
    lane.hear(OTHER);
    expect(lane.mayAsk()).toBe(true);
  });
});
