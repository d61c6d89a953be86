// How often a delivery may have been sent without a record, and why, as the sentence that an operator reads.

import { explain, holderOf, type Lapses, leaseToken, processId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { at, NOW, workspace } from "../builders.js";
import { deadRecord, MINUTE } from "./records.js";

const ONE: Lapses = {
  count: 1,
  process: processId("first"),
  leaseUntil: at(NOW - MINUTE),
  takenAt: at(NOW - MINUTE / 2),
  takenBy: processId("second"),
};
const HELD = "process first had claimed the delivery until 2026-01-31T11:59:00.000Z and did not store how";

function saidOf(lapses: Partial<Lapses>): string | undefined {
  return explain({ record: deadRecord({ lapses: { ...ONE, ...lapses } }), settings: workspace() }, NOW).lapses;
}

describe("lapses in words", () => {
  it("name both processes if another one has claimed the delivery", () => {
    expect(saidOf({})).toBe(
      `One round may have been sent without a record: ${HELD} it ended. Process second claimed it again at 2026-01-31T11:59:30.000Z: the other one had been ended, stood still, or had lost its store.`,
    );
  });

  it("name the store, and a machine that stood still, if the same process has claimed it again", () => {
    expect(saidOf({ takenBy: ONE.process })).toBe(
      `One round may have been sent without a record: ${HELD} it ended. The same process claimed it again at 2026-01-31T11:59:30.000Z: its store had failed, or the machine had stood still.`,
    );
  });

  it("say so if no process claimed it any more, and tell of several rounds the last", () => {
    const { process, leaseUntil, takenAt } = ONE;
    const ended = { count: 3, process, leaseUntil, takenAt };
    const record = deadRecord({ lapses: ended });
    expect(explain({ record, settings: workspace() }, NOW).lapses).toBe(
      `3 rounds may have been sent without a record: ${HELD} the last of them ended. The delivery became dead at 2026-01-31T11:59:30.000Z without a further round.`,
    );
  });

  it("are absent if there are none", () => {
    expect(explain({ record: deadRecord(), settings: workspace() }, NOW)).not.toHaveProperty("lapses");
  });
});

describe("the holder of a lease", () => {
  it("is the first sixteen characters of its token, or all of a shorter one", () => {
    expect(holderOf(leaseToken("0123456789abcdef and more"))).toBe("0123456789abcdef");
    expect(holderOf(leaseToken("short"))).toBe("short");
  });
});
