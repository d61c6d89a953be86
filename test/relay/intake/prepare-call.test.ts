// The shared fields of a batch give the same result for each call as the merged call: the same body, the same route.

import type { Receipt } from "@postrider/core";
import { rawCalls, jsonObjects } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRig, destination, WEBSITE } from "../rig.js";
import { mergeShared } from "../../core/intake/merge-shared.js";
import "../../property.js";

/** The same receipt with its warnings sorted; of three, which are the most, there may be others. */
function inAnyOrder(receipt: Receipt): object {
  if (receipt.kind !== "accepted" || receipt.warnings === undefined) return receipt;
  const { warnings } = receipt;
  return { ...receipt, warnings: warnings.length < 3 ? warnings.map(({ path }) => path).sort() : warnings.length };
}

describe("a call and the fields that its batch shares", () => {
  it("become the message of the merged call", async () => {
    const objects = fc.oneof(jsonObjects(), fc.constantFrom(undefined, { All: false }, { Webhooks: false, All: true }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(rawCalls(), { minLength: 1, maxLength: 4 }),
        objects,
        objects,
        async (some, context, integrations) => {
          const calls = some.map((call, index) => ({ ...call, messageId: `m${String(index)}` }));
          const shared = { context, integrations };
          const open = () => createRig({ destinations: [destination("crm", ["a"])] });
          const [apart, merged] = [open(), open()];
          const receipts = await apart.answer(apart.relay().accept({ source: WEBSITE, calls, shared }));
          const expected = await merged.accept(...calls.map((call) => mergeShared(call, shared)));
          expect(receipts.map(inAnyOrder)).toEqual(expected.map(inAnyOrder));
          await Promise.all([apart.advance(1_000), merged.advance(1_000)]);
          expect(apart.seen.map(({ body }) => body).sort()).toEqual(merged.seen.map(({ body }) => body).sort());
          for (const { body } of apart.seen) expect(JSON.stringify(JSON.parse(body))).toBe(body);
        },
      ),
    );
  });

  it("are refused one by one if a shared object of the host throws when it is read", async () => {
    const rig = createRig();
    const context = {
      get ip(): never {
        throw new Error("no");
      },
    };
    const calls = [{ type: "page", userId: "u" }, "text"];
    const receipts = await rig.answer(rig.relay().accept({ source: WEBSITE, calls, shared: { context } }));
    expect(receipts).toMatchObject([
      { kind: "refused", refusal: { expected: "a call that JSON can carry" } },
      { kind: "refused", refusal: { expected: "an object" } },
    ]);
  });
});
