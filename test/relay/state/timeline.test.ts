import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTimeline } from "../../../packages/relay/src/lanes/lane-queue.js";

const keys = fc.nat(8).map((n) => `k${String(n)}`);
const steps = fc.array(
  fc.oneof(
    // Enough moves that a heap of outdated items is rebuilt.
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("set" as const), key: keys, at: fc.nat(50) }) },
    fc.record({ kind: fc.constant("delete" as const), key: keys }),
    fc.record({ kind: fc.constant("take" as const), until: fc.nat(60) }),
  ),
  { maxLength: 400, size: "max" },
);

describe("a timeline", () => {
  it("answers its earliest entry, whatever was moved or removed", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const timeline = createTimeline<string>();
        const model = new Map<string, number>();
        for (const step of all) {
          if (step.kind === "set") {
            timeline.set(step.key, step.at);
            model.set(step.key, step.at);
          } else if (step.kind === "delete") {
            timeline.delete(step.key);
            model.delete(step.key);
          } else {
            const earliest = Math.min(...model.values());
            const entry = timeline.take(step.until);
            expect(entry === undefined).toBe(earliest > step.until);
            if (entry !== undefined) {
              expect(model.get(entry)).toBe(earliest);
              model.delete(entry);
            }
          }
          expect(timeline.next()).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
        }
      }),
    );
  });

  it("does not grow when an entry is moved a hundred thousand times", () => {
    const timeline = createTimeline<string>();
    timeline.set("first", 0);
    for (let at = 1; at <= 100_000; at += 1) timeline.set("other", at);
    expect(timeline.take(Infinity)).toBe("first");
    expect(timeline.take(Infinity)).toBe("other");
    expect(timeline.take(Infinity)).toBeUndefined();
  });
});
