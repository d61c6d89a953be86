import fc from "fast-check";
import { createHmac, hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSignSha1 } from "../../../packages/core/src/request/sign-body.js";

const told = (secret: string, data: Uint8Array): string =>
  createHmac("sha1", Buffer.from(secret, "utf8")).update(data).digest("hex");

/** Secrets of about 64 bytes, one block: characters of one to four bytes, lone surrogates and zeros among them. */
const secrets = () =>
  fc.array(fc.constantFrom("a", "\0", "é", "€", "🗝", "\ud83d", "\udddd"), { maxLength: 90 }).map((all) => all.join(""));

describe.each([
  ["by one-step hashes", hash],
  ["by the platform's HMAC", undefined],
])("signing %s", (_, given) => {
  const sign = createSignSha1(given);

  it("is HMAC-SHA1 for any secret and data", () => {
    fc.assert(
      fc.property(secrets(), fc.uint8Array({ maxLength: 300 }), (secret, data) => {
        expect(sign(secret, data)).toBe(told(secret, data));
      }),
      { numRuns: 500 },
    );
  });

  it.each([0, 1, 19, 20, 21, 63, 64, 65, 66, 128, 1_000])("is correct with a secret of %i bytes", (length) => {
    const secret = "k".repeat(length);
    expect(sign(secret, Buffer.from("data"))).toBe(told(secret, Buffer.from("data")));
  });

  it("is correct if a character of the secret crosses the end of the block", () => {
    for (const last of ["é", "€", "🗝", "\ud83d"]) {
      const secret = `${"k".repeat(63)}${last}`;
      expect(sign(secret, Buffer.from("data"))).toBe(told(secret, Buffer.from("data")));
    }
  });

  it.each([0, 65_535, 65_536, 65_537, 300_000])(
    "is correct with %i bytes of data, several times in a row",
    (length) => {
      const data = new Uint8Array(length).map((_zero, index) => index);
      for (const secret of ["long ".repeat(40), "", "short"]) expect(sign(secret, data)).toBe(told(secret, data));
    },
  );

  it("does not change its input", () => {
    const data = Uint8Array.from({ length: 200 }, (_zero, index) => index);
    sign("secret", data);
    expect(data).toEqual(Uint8Array.from({ length: 200 }, (_zero, index) => index));
  });
});
