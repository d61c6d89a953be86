import { startDelivery } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { NOW } from "../builders.js";

const bounds = { maxDeliveries: 3, maxBytes: 100 };
const waiting = { kind: "waiting", dueAt: NOW };
const laneFull = { kind: "dead", reason: "lane-full" };

describe("startDelivery", () => {
  it.each([
    ["an empty lane", { deliveries: 0, bytes: 0 }, 40, waiting],
    ["a lane with one place left", { deliveries: 2, bytes: 0 }, 40, waiting],
    ["a lane without a place left", { deliveries: 3, bytes: 0 }, 0, laneFull],
    ["a lane with just the bytes left", { deliveries: 0, bytes: 60 }, 40, waiting],
    ["a lane with a byte too few", { deliveries: 0, bytes: 60 }, 41, laneFull],
    ["a lane with neither", { deliveries: 4, bytes: 200 }, 1, laneFull],
  ])("starts a delivery in %s", (_, load, size, start) => {
    expect(startDelivery(load, size, bounds, NOW)).toEqual(start);
  });
});
