// Streaks of local faults: counted for each delivery, for a bounded number of them, and known to the relay that takes over.

import type { DeliveryId } from "@postrider/core";
import { expect, it } from "vitest";
import { MAX_LOCAL_STREAKS } from "../../../packages/relay/src/limits.js";
import { createLocalStreaks } from "../../../packages/relay/src/lanes/endpoints.js";

const [A, B] = ["a", "b"] as DeliveryId[] as [DeliveryId, DeliveryId];

it("count the rounds in a row of each delivery, until one has another result", () => {
  const streaks = createLocalStreaks();
  for (const delivery of [A, A, B, A]) streaks.grow(delivery);
  expect([streaks.of(A), streaks.of(B)]).toEqual([3, 1]);
  streaks.end(A);
  expect([streaks.of(A), streaks.of(B)]).toEqual([0, 1]);
  expect(createLocalStreaks(streaks.remember()).of(B)).toBe(1);
});

it("forget the delivery that they have counted longest, when there are too many", () => {
  const streaks = createLocalStreaks();
  streaks.grow(A);
  for (let index = 1; index < MAX_LOCAL_STREAKS; index += 1) streaks.grow(`d${String(index)}` as DeliveryId);
  expect([streaks.of(A), streaks.remember().length]).toEqual([1, MAX_LOCAL_STREAKS]);
  streaks.grow(B);
  expect([streaks.of(A), streaks.of(B), streaks.remember().length]).toEqual([0, 1, MAX_LOCAL_STREAKS]);
});
