import { signMessageId } from "@postrider/core/engine";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("signMessageId", () => {
  it("is 64 hexadecimal digits, the same for the same names", () => {
    expect(signMessageId("aud_1", ["1", "u", "crm"])).toMatch(/^[0-9a-f]{64}$/);
    expect(signMessageId("aud_1", ["1", "u", "crm"])).toBe(signMessageId("aud_1", ["1", "u", "crm"]));
    expect(signMessageId("aud_1", [])).not.toBe(signMessageId("aud_2", []));
  });

  it("differs if any name differs, wherever one ends and the next begins", () => {
    const names = () => fc.array(nastyStrings(), { maxLength: 3 });
    fc.assert(
      fc.property(names(), names(), (one, other) => {
        const isSame = one.length === other.length && one.every((name, index) => name === other[index]);
        expect(signMessageId("key", one) === signMessageId("key", other)).toBe(isSame);
      }),
    );
    expect(signMessageId("key", ["\ud800"])).not.toBe(signMessageId("key", ["\ud801"]));
    expect(signMessageId("key", ["ab", "c"])).not.toBe(signMessageId("key", ["a", "bc"]));
  });
});
