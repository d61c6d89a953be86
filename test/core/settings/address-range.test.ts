// The form of addresses and ranges, compared with what node's `isIP` and `BlockList` take.

import { isAddressRange } from "@postrider/core";
import fc from "fast-check";
import { BlockList, isIP } from "node:net";
import { describe, expect, it } from "vitest";

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
    "::ffff:10.0.0.0/104",
    "0:0:0:0:0:FFFF:a00:0/96",
    "::fffe:10.0.0.0/95",
    "0:0:0:0:1:ffff:a00:0/95",
    "1:0:0:0:0:ffff:a00:0/95",
    "::/8",
  ])("may be written %s", (text) => {
    expect(isAddressRange(text)).toBe(true);
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
    "fe80::%eth0/10",
    "::ffff:10.0.0.0/95",
    "0:0::FFFF:a00:0/0",
    "127.0.0.1::",
    "::127.0.0.1:1",
    "1:2:3:4:5:6:7:127.0.0.1",
  ])("may not be written %o", (text) => {
    expect(isAddressRange(text)).toBe(false);
  });

  it("without a prefix is what node reads as an address", () => {
    const part = fc.constantFrom("", "0", "1", "255", "256", "ffff", "10000", "127.0.0.1", "1.2.3", "::", "g");
    const near = fc.array(part, { maxLength: 9 }).map((parts) => parts.join(":"));
    const addresses = fc.oneof(fc.ipV4(), fc.ipV6(), near, fc.string());
    fc.assert(
      fc.property(addresses, (text) => {
        fc.pre(!text.includes("/") && !text.includes("%"));
        expect(isAddressRange(text)).toBe(isIP(text) !== 0);
      }),
      { numRuns: 5_000 },
    );
  });

  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((ipv4) => `::ffff:${ipv4}`),
  );

  it("with a prefix is what node's BlockList takes, unless it has more than the mapped addresses of IPv4", () => {
    fc.assert(
      fc.property(address, fc.integer({ min: -2, max: 140 }), (start, bits) => {
        const isTaken = takes(start, bits) && !(isMapped(start) && bits < 96);
        expect(isAddressRange(`${start}/${String(bits)}`)).toBe(isTaken);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of mapped addresses has the form of the range of IPv4 that it stands for", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: -5, max: 40 }), (ipv4, bits) => {
        const mapped = `::ffff:${ipv4}/${String(96 + bits)}`;
        expect(isAddressRange(mapped)).toBe(isAddressRange(`${ipv4}/${String(bits)}`));
      }),
    );
  });
});

/** The URL parser writes each spelling of an address in one way. */
function isMapped(address: string): boolean {
  return isIP(address) === 6 && /^\[::ffff:[\da-f]+:[\da-f]+\]$/.test(new URL(`http://[${address}]`).hostname);
}

function takes(start: string, bits: number): boolean {
  try {
    new BlockList().addSubnet(start, bits, isIP(start) === 4 ? "ipv4" : "ipv6");
    return true;
  } catch {
    return false;
  }
}
