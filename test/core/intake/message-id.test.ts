import { writeMessageId } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("writeMessageId", () => {
  it.each([
    [0x00, "00000000-0000-4000-8000-000000000000"],
    [0xff, "ffffffff-ffff-4fff-bfff-ffffffffffff"],
    [0x0a, "0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a"],
  ])("writes sixteen bytes of %i as a UUID of version 4", (byte, id) => {
    expect(writeMessageId(new Uint8Array(16).fill(byte))).toBe(id);
  });

  it("keeps the bytes in their order", () => {
    expect(writeMessageId(Uint8Array.from({ length: 16 }, (_, index) => index))).toBe(
      "00010203-0405-4607-8809-0a0b0c0d0e0f",
    );
  });

  it("is a UUID of version 4 for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (random) => {
        expect(writeMessageId(random)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      }),
    );
  });
});
