// Ids and instants are the text and the number that they are made of, marked for the compiler.

import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  deletionId,
  deliveryId,
  destinationId,
  endpointId,
  epochMs,
  type EpochMs,
  laneMark,
  leaseToken,
  monoMs,
  type MonoMs,
  plusMs,
  replayJobId,
  sourceId,
} from "@postrider/core";

describe("an id or an instant", () => {
  it.each([...[sourceId, destinationId, endpointId, deliveryId, deletionId], ...[replayJobId, laneMark, leaseToken]])(
    "is its text, with %o",
    (make) => {
      fc.assert(fc.property(fc.string(), (text) => make(text) === text));
    },
  );

  it("is its number of milliseconds", () => {
    expect([epochMs(1_767_225_600_000), monoMs(0.5)]).toEqual([1_767_225_600_000, 0.5]);
  });
});

describe("an instant plus a duration", () => {
  it("is as much later, or earlier, and is undone by its opposite", () => {
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer(), (at, ms) => {
        expect(plusMs(epochMs(at), ms) - at).toBe(ms);
        expect(plusMs(plusMs(epochMs(at), ms), -ms)).toBe(at);
      }),
    );
  });

  it("stays on its clock", () => {
    expectTypeOf(plusMs(epochMs(1), 2)).toEqualTypeOf<EpochMs>();
    expectTypeOf(plusMs(monoMs(1), 2)).toEqualTypeOf<MonoMs>();
  });
});
