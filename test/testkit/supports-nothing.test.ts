// A store that supports no part yet has the cases of the required methods, and a reason for each other one.

import { createManualClock, createMemoryStore } from "@postrider/memory";
import { deliveryStoreContract, supportsNothing } from "@postrider/testkit/contracts";
import { expect, it } from "vitest";

const clock = createManualClock();
const harness = {
  open: () => Promise.resolve(createMemoryStore()),
  now: () => clock.wall(),
  advance: (ms: number) => clock.advance(ms),
};

it("With no part supported, each case that needs one is skipped with the reason, and no other case is", () => {
  const cases = deliveryStoreContract({ ...harness, supports: supportsNothing("not yet") });
  const skipped = cases.filter((one) => one.skipped !== undefined);
  expect(new Set(skipped.map((one) => one.skipped))).toEqual(new Set(["not yet"]));
  expect(cases.length - skipped.length).toBeGreaterThan(100);
  expect(skipped.length).toBeGreaterThan(100);
});

it("With a part named after it, the cases of that part are played", () => {
  const names = (supports: ReturnType<typeof supportsNothing>): readonly string[] =>
    deliveryStoreContract({ ...harness, supports })
      .filter(({ skipped }) => skipped === undefined)
      .map(({ name }) => name);
  const added = names({ ...supportsNothing("not yet"), days: true }).length - names(supportsNothing("not yet")).length;
  expect(added).toBeGreaterThan(0);
});
