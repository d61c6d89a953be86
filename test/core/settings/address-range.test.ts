// The form of addresses and ranges, held against node's own reader of addresses.

import fc from "fast-check";
import { isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { isRangeText } from "@postrider/core";

describe("an address range", () => {
  it.each([
    "127.0.0.1",
    "127.0.0.0/8",
    "0.0.0.0/0",
    "255.255.255.255/32",
    "::",
    "::/0",
    "::1",
    "::1/128",
    "fd00::/8",
    "FD00::A",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "::ffff:127.0.0.1",
    "1:2:3:4:5:6:127.0.0.1/96",
  ])("may be written %s", (text) => {
    expect(isRangeText(text)).toBe(true);
  });

  it.each([
    "",
    "/",
    "/8",
    "localhost",
    "example.com",
    "127.0.0",
    "127.1",
    "127.0.0.1.1",
    "127.0.0.256",
    "127.0.0.01",
    "0x7f.0.0.1",
    "2130706433",
    "127.0.0.1/",
    "127.0.0.1/33",
    "127.0.0.1/-1",
    "127.0.0.1/08",
    "127.0.0.1/8/8",
    "127.0.0.1 ",
    "127.0.0.1\n",
    "127.0.0.1:80",
    "10.0.0.*",
    "[::1]",
    ":",
    ":::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "1:2:3:4:5:6:7:8::",
    "::1/129",
    "::g",
    "::12345",
    "fe80::1%eth0",
    "127.0.0.1::",
    "::127.0.0.1:1",
    "1:2:3:4:5:6:7:127.0.0.1",
  ])("may not be written %o", (text) => {
    expect(isRangeText(text)).toBe(false);
  });

  it("without a prefix is what node reads as an address", () => {
    const part = fc.constantFrom("", "0", "1", "255", "256", "ffff", "10000", "127.0.0.1", "1.2.3", "::", "g");
    const near = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(":"));
    const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), near, fc.string());
    fc.assert(
      fc.property(addresses, (text) => {
        fc.pre(!text.includes("/") && !text.includes("%"));
        expect(isRangeText(text)).toBe(isIP(text) !== 0);
      }),
      { numRuns: 5_000 },
    );
  });
});
