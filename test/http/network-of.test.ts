import { networkOf } from "../../packages/http/src/budgets.js";
import { describe, expect, it } from "vitest";

describe("networkOf", () => {
  it.each([
    ["an IPv4 address", "203.0.113.7", "203.0.113.7"],
    ["the same inside IPv6", "::ffff:203.0.113.7", "203.0.113.7"],
    ["the same in capitals", "::FFFF:203.0.113.7", "203.0.113.7"],
    ["an IPv6 address", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["another of the same network", "2001:db8:1:2::9", "2001:db8:1:2"],
    ["one whose network ends in zeros", "2001:db8::9", "2001:db8:0:0"],
    ["one with zeros in its network", "2001:db8::2:3:4:5:6", "2001:db8:0:2"],
    ["one with zeros in front", "::2:3:4:5:6:7", "0:0:2:3"],
    ["one of a link", "fe80::1%eth0", "fe80:0:0:0"],
    ["an address inside another form", "64:ff9b::1.2.3.4", "64:ff9b:0:0"],
    ["whatever a host hands over", "unknown", "unknown:0:0:0"],
  ])("counts %s", (_, address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it("counts none where no address is known", () => {
    expect(networkOf(undefined)).toBeUndefined();
  });
});
