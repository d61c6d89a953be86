import { checkWorkspace } from "@postrider/core";
import { checkWorkspaceInSteps, mapInSteps, runSteps } from "@postrider/core/engine";
import { workspaces } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destination, laneId } from "./builders.js";

describe("steps", () => {
  it("are one per item, and their results are in the order of the items", () => {
    const steps = mapInSteps(["a", "b"], (item, index) => `${item}${index}`);
    expect([steps.next(), steps.next(), steps.next()]).toEqual([
      { done: false, value: undefined },
      { done: false, value: undefined },
      { done: true, value: ["a0", "b1"] },
    ]);
  });

  it("return their result when run in a row", () => {
    expect(runSteps(mapInSteps([1, 2, 3], (item) => 2 * item))).toEqual([2, 4, 6]);
    expect(runSteps(mapInSteps([], () => 0))).toEqual([]);
  });

  it("of a workspace check one source or destination each, and find all its problems", () => {
    fc.assert(
      fc.property(workspaces(), fc.boolean(), (sound, isBroken) => {
        const broken = [...sound.destinations, destination({ id: laneId("") })];
        const looked = { ...sound, destinations: isBroken ? broken : sound.destinations };
        const seen: number[] = [];
        let count = 0;
        const counting = looked.destinations.map((one) => ({
          ...one,
          get endpoints() {
            count += 1;
            return one.endpoints;
          },
        }));
        const steps = checkWorkspaceInSteps({ ...looked, destinations: counting });
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) seen.push(count);
        expect(seen.length).toBe(looked.sources.length + looked.destinations.length);
        expect(seen.slice(looked.sources.length)).toEqual(counting.map((_, index) => index + 1));
        expect(step.value).toEqual(checkWorkspace(looked));
      }),
    );
  });
});
