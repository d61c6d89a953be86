import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FindCallerAddress, createCallerAddressFinder } from "../../packages/http/src/callers.js";

const PROXIES = ["10.0.0.0/8", "127.0.0.1", "fd00::/8"];
const PROXY = "10.0.0.1";
const CALLER = "203.0.113.7";

function asked(addressOf: FindCallerAddress, peer: string | undefined, headers: Record<string, string> = {}): unknown {
  return addressOf(peer, new Map(Object.entries(headers)));
}

function listed(value: string): Record<string, string> {
  return { "x-forwarded-for": value };
}

describe("without a list of proxies, a request counts", () => {
  const addressOf = createCallerAddressFinder(undefined);

  it("for its socket's address, whatever its headers say", () => {
    expect(asked(addressOf, CALLER, listed("198.51.100.1"))).toBe(CALLER);
    expect(asked(addressOf, CALLER, { forwarded: "for=198.51.100.1" })).toBe(CALLER);
  });

  it.each([undefined, "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("for none from %s", (peer) => {
    expect(asked(addressOf, peer, listed(CALLER))).toBeUndefined();
  });

  it.each(["12.70.0.1", "::2", "fe80::1%eth0"])("for itself from %s, which is no loopback", (peer) => {
    expect(asked(addressOf, peer)).toBe(peer);
  });
});

describe("with a list of proxies, a request counts", () => {
  const addressOf = createCallerAddressFinder(PROXIES);

  it("for its socket's address if that is none of them, loopback included", () => {
    expect(asked(addressOf, CALLER, listed("198.51.100.1"))).toBe(CALLER);
    expect(asked(addressOf, "127.0.0.2", listed("198.51.100.1"))).toBe("127.0.0.2");
    expect(asked(addressOf, undefined, listed(CALLER))).toBeUndefined();
  });

  it.each([
    ["the only hop", CALLER],
    ["the last hop", `198.51.100.1, ${CALLER}`],
    ["the last hop that is no proxy", `198.51.100.1,${CALLER},10.1.1.1 , fd00::2`],
    ["the last hop, whatever stands before it", `"<script>, , for=x, ${CALLER}`],
    ["a hop with a port", `${CALLER}:4711`],
  ])("for %s of X-Forwarded-For", (_, value) => {
    expect(asked(addressOf, PROXY, listed(value))).toBe(CALLER);
  });

  it.each([
    ["2001:db8::7", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[2001:db8::7]:4711", "2001:db8::7"],
    ["::ffff:10.1.1.1, ::ffff:203.0.113.7, ::ffff:10.1.1.1", "::ffff:203.0.113.7"],
  ])("for IPv6 in X-Forwarded-For: %s", (value, address) => {
    expect(asked(addressOf, "::ffff:10.0.0.1", listed(value))).toBe(address);
  });

  it.each([
    [`for=${CALLER}`, CALLER],
    [`proto=https; For="${CALLER}:4711" ;by=10.0.0.1`, CALLER],
    ['for=198.51.100.1, for="[2001:db8::7]:4711"', "2001:db8::7"],
    [`for="198.51.100.1, for=${CALLER}`, CALLER],
  ])("for the last hop of Forwarded: %s", (value, address) => {
    expect(asked(addressOf, PROXY, { forwarded: value })).toBe(address);
  });

  it.each([
    ["no address", "unknown", PROXY],
    ["nothing at all", "", PROXY],
    ["half an address", "203.0.113", PROXY],
    ["a port that is no number", `${CALLER}:80x`, PROXY],
    ["a port of an IPv6 address that is no number", "[2001:db8::7]:80x", PROXY],
    ["an empty hop behind a proxy", "198.51.100.1, , 10.2.2.2", "10.2.2.2"],
    ["a hidden hop behind a proxy", "_hidden, 10.2.2.2", "10.2.2.2"],
  ])("for the last good hop before %s", (_, value, address) => {
    expect(asked(addressOf, PROXY, listed(value))).toBe(address);
    const forwarded = value.replaceAll(/[^ ,]+/g, "for=$&");
    expect(asked(addressOf, PROXY, { forwarded })).toBe(address);
  });

  it("for none if its proxies name only each other", () => {
    expect(asked(addressOf, PROXY)).toBeUndefined();
    expect(asked(addressOf, PROXY, listed("10.1.1.1, 127.0.0.1"))).toBeUndefined();
  });

  it("for the proxy if the two headers differ, since a caller has written one of them", () => {
    expect(asked(addressOf, PROXY, { ...listed(CALLER), forwarded: `for=${CALLER}` })).toBe(CALLER);
    expect(asked(addressOf, PROXY, { ...listed(CALLER), forwarded: "for=198.51.100.1" })).toBe(PROXY);
    expect(asked(addressOf, PROXY, { ...listed(CALLER), forwarded: "for=10.1.1.1" })).toBe(PROXY);
  });

  it("for no more than 32 hops back", () => {
    expect(asked(addressOf, PROXY, listed([CALLER, ...Array<string>(31).fill(PROXY)].join()))).toBe(CALLER);
    expect(asked(addressOf, PROXY, listed([CALLER, ...Array<string>(32).fill(PROXY)].join()))).toBeUndefined();
  });

  it("for the same address, whatever a caller has written into the header before its proxy did", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("x-forwarded-for", "forwarded"), (forged, name) => {
        const added = name === "forwarded" ? `for=${CALLER}` : CALLER;
        expect(asked(addressOf, PROXY, { [name]: `${forged}, ${added}` })).toBe(CALLER);
      }),
    );
  });
});

it("a list of proxies with something else in it is refused", () => {
  expect(() => createCallerAddressFinder(["127.0.0.1", "localhost", "10.0.0.0/33"])).toThrow(
    expect.objectContaining({
      code: "bad-options",
      problems: [
        expect.objectContaining({ path: "trustedProxies[1]" }),
        expect.objectContaining({ path: "trustedProxies[2]" }),
      ],
    }),
  );
});
