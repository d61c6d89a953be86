import { signBody } from "@postrider/core";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bytes } from "../builders.js";

const bodies = () => fc.uint8Array({ minLength: 1, maxLength: 200 });

describe("signBody", () => {
  it("is the HMAC-SHA1 of RFC 2202, test case 2", () => {
    expect(signBody("Jefe", bytes("what do ya want for nothing?"))).toBe("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
  });

  it("is 40 lowercase hexadecimal digits, the same as from node:crypto (law 31)", () => {
    fc.assert(
      fc.property(nastyStrings(), bodies(), (secret, body) => {
        const signature = signBody(secret, body);
        expect(signature).toMatch(/^[\da-f]{40}$/);
        expect(signature).toBe(createHmac("sha1", Buffer.from(secret, "utf8")).update(body).digest("hex"));
      }),
    );
  });

  it("changes when any bit of the body changes (law 31)", () => {
    fc.assert(
      fc.property(nastyStrings(), bodies(), fc.nat(), fc.nat(7), (secret, body, place, bit) => {
        const flipped = Uint8Array.from(body);
        flipped[place % body.length]! ^= 1 << bit;
        expect(signBody(secret, flipped)).not.toBe(signBody(secret, body));
      }),
    );
  });

  it("changes with the secret", () => {
    expect(signBody("one", bytes("{}"))).not.toBe(signBody("two", bytes("{}")));
  });
});
