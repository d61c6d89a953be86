import { signBody, verifySignature } from "@postrider/core";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes } from "../builders.js";

const body = bytes('{"type":"page"}');
const signature = signBody("secret", body);

describe("verifySignature", () => {
  it("accepts the signature of these bytes under this secret", () => {
    expect(verifySignature("secret", body, signature)).toBe(true);
  });

  it.each([
    ["a missing header", undefined],
    ["an empty header", ""],
    ["several headers", [signature, signature]],
    ["a list of one header", [signature]],
    ["a signature cut short", signature.slice(0, -1)],
    ["a signature with more behind it", `${signature}0`],
    ["capital letters", signature.toUpperCase()],
    ["as many characters that take more bytes", "é".repeat(40)],
    ["another signature of the same length", "0".repeat(40)],
    ["a last digit that differs", signature.slice(0, -1) + (signature.endsWith("0") ? "1" : "0")],
  ])("refuses %s", (_, given) => {
    expect(verifySignature("secret", body, given)).toBe(false);
  });

  it("refuses the signature of another body and of another secret", () => {
    expect(verifySignature("secret", bytes("{}"), signature)).toBe(false);
    expect(verifySignature("Secret", body, signature)).toBe(false);
  });

  it("accepts nothing with an empty secret, with which everyone can sign", () => {
    expect(verifySignature("", body, signBody("", body))).toBe(false);
  });

  it("accepts the result of signBody and nothing else, and never throws", () => {
    fc.assert(
      fc.property(nastyStrings(), fc.uint8Array(), nastyStrings(), (secret, any, header) => {
        const isSet = secret !== "";
        expect(verifySignature(secret, any, signBody(secret, any))).toBe(isSet);
        expect(verifySignature(secret, any, header)).toBe(isSet && header === signBody(secret, any));
      }),
    );
  });
});
