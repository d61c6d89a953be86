import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameSecret } from "../../packages/http/src/callers.js";

const bytes = (): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength: 1_200 });

describe("a secret that is shown", () => {
  it("is the right one if and only if all bytes are equal, whatever the lengths", () => {
    fc.assert(
      fc.property(bytes(), bytes(), (one, other) => {
        expect(isSameSecret(one, other)).toBe(Buffer.compare(one, other) === 0);
        expect(isSameSecret(one, Uint8Array.from(one))).toBe(true);
      }),
    );
  });

  it.each([1_023, 1_024, 1_025])("is the right one at a length of %i bytes, too", (length) => {
    const right = new Uint8Array(length).fill(7);
    const other = Uint8Array.from(right, (byte, at) => (at === length - 1 ? 8 : byte));
    expect([isSameSecret(Uint8Array.from(right), right), isSameSecret(other, right)]).toEqual([true, false]);
  });

  it("is another one with a zero at its end", () => {
    fc.assert(
      fc.property(bytes(), (right) => {
        const longer = Uint8Array.from([...right, 0]);
        expect([isSameSecret(longer, right), isSameSecret(right, longer)]).toEqual([false, false]);
      }),
    );
  });
});
