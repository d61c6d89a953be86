import { runInNewContext } from "node:vm";
import { signBody, verifySignature, verifyStandardWebhook } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes } from "../builders.js";
import "../../property.js";

const TEXT = '{"userId":"\u00fc"}';
const SIGNATURE = signBody("secret", bytes(TEXT));
const HEADERS = { id: "msg_1", timestamp: "1767225600", signature: "v1,none" };

/** As a caller without types would hand it in. */
function verify(body: unknown): boolean {
  return verifySignature("secret", body as Uint8Array, SIGNATURE);
}

function verifyStandard(body: unknown): unknown {
  return verifyStandardWebhook(["secret"], body as Uint8Array, HEADERS, 1_767_225_600_000);
}

describe("the body whose signature is verified", () => {
  it("may be bytes or text, which means its UTF-8", () => {
    expect([verify(bytes(TEXT)), verify(Buffer.from(TEXT)), verify(TEXT), verify(`${TEXT} `)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(verifyStandard(TEXT)).toEqual({ kind: "invalid", reason: "no-match" });
  });

  it("may come from another realm, as test runners have them", () => {
    const foreign: unknown = runInNewContext(`new TextEncoder().encode(${JSON.stringify(TEXT)})`, { TextEncoder });
    expect(verify(foreign)).toBe(true);
    const bytesOfRealm: unknown = runInNewContext(`Uint8Array.from(${JSON.stringify([...bytes(TEXT)])})`);
    expect(verify(bytesOfRealm)).toBe(true);
  });

  it("is told in words where it is something else, a parsed object above all", () => {
    const others = fc.oneof(fc.object(), fc.array(fc.nat(255)), fc.constantFrom(undefined, null, true, 7));
    fc.assert(
      fc.property(others, (body) => {
        expect(() => verify(body)).toThrow(/expected the raw body of the request.*express\.raw/);
        expect(() => verifyStandard(body)).toThrow(/expected the raw body of the request.*express\.raw/);
      }),
    );
  });
});
