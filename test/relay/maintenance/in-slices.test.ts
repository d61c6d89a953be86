// Long work on the store: one slice after the other with a pause between, until a slice is not full, the store fails, the relay
// stops, or there were enough slices.

import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { err, ok } from "neverthrow";
import { describe, expect, it } from "vitest";
import { DELIVERIES_PER_SLICE, MAX_SLICES, SLICE_PAUSE_MS } from "../../../packages/relay/src/limits.js";
import { inSlices } from "../../../packages/relay/src/maintenance/slices.js";
import "../../property.js";

const FULL = DELIVERIES_PER_SLICE;

interface Work {
  /** The number of full slices. */
  readonly full: number;
  /** The number of deliveries in the slice after them; `fails` if the store does. */
  readonly last: number | "fails";
  /** After how many slices the relay is stopped. */
  readonly stopAfter: number;
}

const anyWork: fc.Arbitrary<Work> = fc.record({
  full: fc.oneof(fc.nat(4), fc.constantFrom(MAX_SLICES - 1, MAX_SLICES, MAX_SLICES + 1)),
  last: fc.oneof(fc.constant("fails" as const), fc.constantFrom(0, 1, FULL - 1)),
  stopAfter: fc.oneof(fc.nat(4), fc.constantFrom(MAX_SLICES - 1, 2 * MAX_SLICES)),
});

describe("work in slices", () => {
  it("does what there is, within its bounds, and answers how many deliveries there were", async () => {
    await fc.assert(
      fc.asyncProperty(anyWork, async ({ full, last, stopAfter }) => {
        const clock = createManualClock();
        const startedAt = clock.monotonic();
        const begun: number[] = [];
        const work = inSlices(
          clock,
          () => {
            begun.push(clock.monotonic() - startedAt);
            if (begun.length <= full) return Promise.resolve(ok(FULL));
            return Promise.resolve(last === "fails" ? err({ code: "unavailable" as const }) : ok(last));
          },
          () => begun.length < stopAfter,
        );
        await clock.advance(2 * MAX_SLICES * SLICE_PAUSE_MS);
        const slices = Math.min(full + 1, stopAfter, MAX_SLICES);
        expect(begun).toEqual(Array.from({ length: slices }, (_, slice) => slice * SLICE_PAUSE_MS));
        const answer = await work;
        if (slices <= full) expect(answer).toEqual(ok(slices * FULL));
        else expect(answer).toEqual(last === "fails" ? err({ code: "unavailable" }) : ok(full * FULL + last));
      }),
    );
  });
});
