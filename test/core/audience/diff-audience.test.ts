import { diffAudience } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const members = () => fc.array(fc.constantFrom("a", "b", "c", "d", "__proto__", "constructor", ""));

describe("diffAudience", () => {
  it("tells who entered and who left, each in the order given", () => {
    expect(diffAudience(["a", "b", "c"], ["d", "b", "e"])).toEqual({ entered: ["d", "e"], departed: ["a", "c"] });
  });

  it("lets everyone enter at the first sync", () => {
    expect(diffAudience([], ["b", "a", "b"])).toEqual({ entered: ["b", "a"], departed: [] });
  });

  it("sends nothing for the same members again, in whatever order and number (law 41)", () => {
    fc.assert(
      fc.property(members(), (set) => {
        expect(diffAudience(set, [...set, ...set.toReversed()])).toEqual({ entered: [], departed: [] });
      }),
    );
  });

  it("sends exactly those whose membership changed, each once (law 41)", () => {
    fc.assert(
      fc.property(members(), members(), (previous, current) => {
        const { entered, departed } = diffAudience(previous, current);
        const sent = [...entered, ...departed];
        expect(new Set(sent).size).toBe(sent.length);
        const changed = [...previous, ...current].filter((id) => previous.includes(id) !== current.includes(id));
        expect(new Set(sent)).toEqual(new Set(changed));
      }),
    );
  });

  it("turns the previous set into the current one when what was sent is applied (law 41)", () => {
    fc.assert(
      fc.property(members(), members(), (previous, current) => {
        const { entered, departed } = diffAudience(previous, current);
        const kept = previous.filter((id) => !departed.includes(id));
        expect(new Set([...kept, ...entered])).toEqual(new Set(current));
      }),
    );
  });
});
