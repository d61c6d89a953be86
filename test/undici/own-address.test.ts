import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { createIsOwnAddress } from "../../packages/undici/src/addresses.js";

describe("where a host itself listens", () => {
  it("is its address and port, in any spelling, and no other", () => {
    const isOwn = createIsOwnAddress(() => [{ host: "127.0.0.1", port: 8080 }]);
    for (const address of ["127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "::"]) expect(isOwn(address, 8080)).toBe(true);
    for (const address of ["127.0.0.2", "::1", "8.8.8.8"]) expect(isOwn(address, 8080)).toBe(false);
    expect(isOwn("127.0.0.1", 8081)).toBe(false);
  });

  it.each(["0.0.0.0", "::", "myself.example"])("is every address of this machine, if it listens on %s", (host) => {
    const isOwn = createIsOwnAddress(() => [{ host, port: 80 }]);
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
    const local = ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::"];
    for (const address of [...own, ...local]) expect([address, isOwn(address, 80)]).toEqual([address, true]);
    for (const address of ["8.8.8.8", "10.9.8.7"]) expect(isOwn(address, 80)).toBe(false);
  });

  it("is reached by an address that NAT64 translates to its own", () => {
    const isOwn = createIsOwnAddress(() => [{ host: "93.184.216.34", port: 80 }]);
    expect(isOwn("64:ff9b::5db8:d822", 80)).toBe(true);
    expect(isOwn("64:ff9b::5db8:d823", 80)).toBe(false);
    expect(createIsOwnAddress(() => [{ host: "0.0.0.0", port: 80 }])("64:ff9b::7f00:1", 80)).toBe(true);
  });

  it("is asked for each time, since it may not be known at first", () => {
    const listening: { host: string; port: number }[] = [];
    const isOwn = createIsOwnAddress(() => listening);
    expect(isOwn("127.0.0.1", 80)).toBe(false);
    listening.push({ host: "127.0.0.1", port: 80 });
    expect(isOwn("127.0.0.1", 80)).toBe(true);
  });
});
