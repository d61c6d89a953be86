import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasForbiddenAddress, isAddressRange } from "@postrider/undici";
import { createIsAllowedAddress } from "../../packages/undici/src/addresses.js";

const NOT_PUBLIC = [
  ..."127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1".split(
    " ",
  ),
  ..."100.64.0.1 100.100.100.200 169.254.169.254 168.63.129.16 192.0.0.192 192.0.2.1 198.18.0.1 198.19.255.255".split(
    " ",
  ),
  ..."198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1".split(" "),
  ..."::1 ::127.0.0.1 ::8.8.8.8 0:0:0:0:0:0:8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:7f00:1 ::ffff:0:127.0.0.1 ::5efe:7f00:1".split(
    " ",
  ),
  ..."64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 100::1 100:0:0:1::1".split(" "),
  ..."fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 1::1 4000::1 5f00::1 3fff::1".split(" "),
];
const PUBLIC =
  "1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.0 168.63.129.15 198.41.0.4 ::ffff:8.8.8.8 2606:4700::1111 2a00::1";
const NO_ADDRESSES = ["", " ", "localhost", "127.0.0.1/8", "1.2.3.4.5", "::g", "127.0.0.1\n", "example.com"];

describe("the rule of addresses", () => {
  it.each(NOT_PUBLIC)("forbids %s", (address) => {
    expect(createIsAllowedAddress()(address)).toBe(false);
  });

  it.each(PUBLIC.split(" "))("lets %s pass", (address) => {
    expect(createIsAllowedAddress()(address)).toBe(true);
  });

  it.each(NO_ADDRESSES)("forbids what is no address: %j", (text) => {
    expect(createIsAllowedAddress({ allow: ["0.0.0.0/0", "::/0"] })(text)).toBe(false);
  });

  it("allows the ranges of the operator, and not their neighbours", () => {
    const isAllowed = createIsAllowedAddress({ allow: ["10.1.0.0/16", "192.168.7.7", "fd00:1::/32"] });
    const allowed = ["10.1.0.0", "10.1.255.255", "::ffff:10.1.2.3", "192.168.7.7", "fd00:1::5", "8.8.8.8"];
    const forbidden = ["10.0.255.255", "10.2.0.0", "192.168.7.8", "fd00:2::5", "127.0.0.1", "::1"];
    expect(allowed.filter((address) => !isAllowed(address))).toEqual([]);
    expect(forbidden.filter(isAllowed)).toEqual([]);
  });

  it("gives an IPv4 address and its IPv6 spellings the same answer", () => {
    const isAllowed = createIsAllowedAddress({ allow: ["10.0.0.0/8"] });
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const bytes = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
        const hex = `::ffff:${bytes.slice(0, 2).join("")}:${bytes.slice(2).join("")}`;
        expect([isAllowed(`::ffff:${address}`), isAllowed(hex)]).toEqual([isAllowed(address), isAllowed(address)]);
      }),
    );
  });

  it("judges an address by the IPv4 address to which NAT64 translates it", () => {
    const isAllowed = createIsAllowedAddress({ allow: ["10.0.0.0/8"] });
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        fc.pre(!/^(?:0|127|169\.254)\./.test(address));
        expect(isAllowed(`64:ff9b::${address}`)).toBe(isAllowed(address));
        expect(isAllowed(`64:ff9b:1::${address}`)).toBe(false);
      }),
    );
  });

  it("allows no loopback, no link and no unspecified address behind NAT64, even if all of IPv4 is allowed", () => {
    const isAllowed = createIsAllowedAddress({ allow: ["0.0.0.0/0"] });
    for (const address of ["127.0.0.1", "169.254.169.254", "0.0.0.0"]) {
      expect([isAllowed(address), isAllowed(`64:ff9b::${address}`)]).toEqual([true, false]);
    }
    expect(createIsAllowedAddress({ allow: ["64:ff9b::/96"] })("64:ff9b::127.0.0.1")).toBe(true);
  });

  it("forbids every IPv6 address outside 2000::/3 that is not one of IPv4", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const isGlobal = /^[23][0-9a-f]{3}:/i.test(address);
        fc.pre(!isGlobal && !/^(?:0*:)*:?(?:0*:)*ffff:/i.test(address));
        expect(createIsAllowedAddress()(address)).toBe(false);
      }),
    );
  });

  it("allows nothing by an entry that is no range", () => {
    expect(createIsAllowedAddress({ allow: ["10.0.0.0/33", "10.0.0.1/"] })("10.0.0.1")).toBe(false);
  });

  it("allows the start of each range that may be written", () => {
    const start = fc.nat({ max: 65_535 }).chain((number) => {
      const ipv4 = `10.9.${String(number >> 8)}.${String(number & 255)}`;
      return fc.constantFrom(ipv4, `::ffff:${ipv4}`, `fd00::${number.toString(16)}`);
    });
    fc.assert(
      fc.property(start, fc.option(fc.integer({ min: 0, max: 128 })), (address, bits) => {
        const range = bits === null ? address : `${address}/${String(bits)}`;
        expect(createIsAllowedAddress({ allow: [range] })(address)).toBe(isAddressRange(range));
      }),
    );
  });
});

describe("hasForbiddenAddress", () => {
  const URLS = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001:8080/x",
    "http://0177.0.0.1/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://127。0。0。1/",
    "http://0/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]:444/",
    "http://169.254.169.254/latest",
  ];
  it.each(URLS)("is true of %s", (url) => {
    expect(hasForbiddenAddress(url)).toBe(true);
  });

  it.each(["http://localhost/", "https://example.com/127.0.0.1", "https://8.8.8.8/", "https://[2606:4700::1111]/"])(
    "is false of %s",
    (url) => {
      expect(hasForbiddenAddress(url)).toBe(false);
    },
  );

  it("throws an OptionsError for an allowed range that is none", () => {
    const problems = [{ path: "network.allow[1]", expected: "an address range like 10.0.0.0/8" }];
    expect(() => hasForbiddenAddress("http://127.1:9000/", { allow: ["127.0.0.0/8", "office"] })).toThrow(
      expect.objectContaining({ code: "bad-options", problems }) as Error,
    );
  });

  it("is false for an address that the operator allows", () => {
    expect(hasForbiddenAddress("http://127.1:9000/", { allow: ["127.0.0.0/8"] })).toBe(false);
  });
});
