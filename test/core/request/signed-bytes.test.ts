import { runInNewContext } from "node:vm";
import { signBody, verifySignature, verifyStandardWebhook } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes } from "../builders.js";
import "../../property.js";

const TEXT = '{"userId":"\u00fc"}';
const SIGNATURE = signBody("secret", bytes(TEXT));
const HEADERS = { id: "msg_1", timestamp: "1767225600", signature: "v1,none" };

/** A body as passed by a caller without types. */
function verify(body: unknown): boolean {
  return verifySignature("secret", body as Uint8Array, SIGNATURE);
}

function verifyStandard(body: unknown): unknown {
  return verifyStandardWebhook(["secret"], body as Uint8Array, HEADERS, 1_767_225_600_000);
}

describe("the body whose signature is verified", () => {
  it("may be bytes, or text as UTF-8", () => {
    expect([verify(bytes(TEXT)), verify(Buffer.from(TEXT)), verify(TEXT), verify(`${TEXT} `)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(verifyStandard(TEXT)).toEqual({ kind: "invalid", reason: "no-match" });
  });

  it("may come from another realm, such as that of a test runner", () => {
    const foreign: unknown = runInNewContext(`new TextEncoder().encode(${JSON.stringify(TEXT)})`, { TextEncoder });
    expect(verify(foreign)).toBe(true);
    const bytesOfRealm: unknown = runInNewContext(`Uint8Array.from(${JSON.stringify([...bytes(TEXT)])})`);
    expect(verify(bytesOfRealm)).toBe(true);
  });

  it("causes an error with instructions if it is something else, such as a parsed object", () => {
    const others = fc.oneof(fc.object(), fc.array(fc.nat(255)), fc.constantFrom(undefined, null, true, 7));
    fc.assert(
      fc.property(others, (body) => {
        expect(() => verify(body)).toThrow(/expected the raw body of the request.*express\.raw/);
        expect(() => verifyStandard(body)).toThrow(/expected the raw body of the request.*express\.raw/);
      }),
    );
  });
});
