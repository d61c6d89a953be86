import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createConnectionCapacity } from "../../../../packages/postrider/src/server/connections/connection-capacity.js";

describe("the capacity for connections", () => {
  it("takes connections up to its bound", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 2, maxKeylessPerNetwork: 2 });
    expect([capacity.add("a", "x"), capacity.add("b", "y"), capacity.size()]).toEqual([undefined, undefined, 2]);
    capacity.remove("a");
    capacity.remove("a");
    expect([capacity.add("c", "x"), capacity.size()]).toEqual([undefined, 2]);
  });

  it("displaces the oldest connection without a known key", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 3, maxKeylessPerNetwork: 2 });
    for (const name of ["a", "b", "c"]) capacity.add(name, "x");
    capacity.setKeyed("a", true);
    expect([capacity.add("d", "y"), capacity.add("e", "y")]).toEqual(["b", "c"]);
    for (const name of ["d", "e"]) capacity.startReading(name);
    capacity.setKeyed("a", false);
    expect([capacity.add("f", "z"), capacity.add("g", "z"), capacity.add("h", "w")]).toEqual(["d", "e", "a"]);
    expect(capacity.size()).toBe(3);
  });

  it("displaces the oldest connection of the network that is furthest over its share", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 6, maxKeylessPerNetwork: 2 });
    for (const name of ["a1", "a2", "b1", "b2", "b3", "c1"]) capacity.add(name, name.slice(0, 1));
    // Network b has three connections, then two; after that no network is over its share.
    expect([capacity.add("d1", "d"), capacity.add("e1", "e")]).toEqual(["b1", "a1"]);
    // Network f has three at last, and its own oldest one is displaced.
    expect(["f1", "f2", "f3", "f4"].map((name) => capacity.add(name, "f"))).toEqual(["a2", "b2", "f1", "f2"]);
  });

  it("does not count connections with a known key towards the share of a network", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 4, maxKeylessPerNetwork: 2 });
    for (const name of ["a1", "b1", "b2", "b3"]) capacity.add(name, name.slice(0, 1));
    capacity.setKeyed("b1", true);
    expect(capacity.add("c1", "c")).toBe("a1");
    capacity.setKeyed("b1", false);
    expect(capacity.add("d1", "d")).toBe("b2");
  });

  it("keeps the position of a connection whose next request shows no key either", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 2, maxKeylessPerNetwork: 2 });
    capacity.add("a", "x");
    capacity.add("b", "x");
    capacity.setKeyed("a", false);
    expect(capacity.add("c", "x")).toBe("a");
  });

  it("displaces a connection that is being read before one that is not", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 2, maxKeylessPerNetwork: 2 });
    for (const name of ["a", "b"]) capacity.add(name, name);
    capacity.startReading("b");
    expect(capacity.add("c", "c")).toBe("b");
    expect(capacity.add("d", "d")).toBe("a");
  });

  it("refuses a new connection when all others have shown a known key", () => {
    const capacity = createConnectionCapacity<string>({ maxConnections: 1, maxKeylessPerNetwork: 2 });
    capacity.add("a", "x");
    capacity.setKeyed("a", true);
    expect([capacity.add("b", "x"), capacity.size()]).toEqual(["b", 1]);
    capacity.setKeyed("b", true);
    expect([capacity.add("c", "x"), capacity.size()]).toEqual(["c", 1]);
  });

  it("never exceeds its bound, and displaces no connection with a known key", () => {
    const step = fc.record({
      act: fc.constantFrom("add", "read", "keyed", "keyless", "remove"),
      connection: fc.nat(12),
      network: fc.constantFrom("x", "y", "z"),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const capacity = createConnectionCapacity<number>({ maxConnections: most, maxKeylessPerNetwork: 2 });
        const open = new Map<number, boolean>();
        for (const { act, connection, network } of steps) {
          if (act === "add" && !open.has(connection)) {
            open.set(connection, false);
            const displaced = capacity.add(connection, network);
            if (displaced !== undefined) {
              expect(open.get(displaced)).toBe(false);
              open.delete(displaced);
            }
          }
          if (act === "read") capacity.startReading(connection);
          if (act === "remove") capacity.remove(connection);
          if (act === "remove") open.delete(connection);
          if (act.startsWith("key")) capacity.setKeyed(connection, act === "keyed");
          if (act.startsWith("key") && open.has(connection)) open.set(connection, act === "keyed");
          expect(capacity.size()).toBe(open.size);
          expect(open.size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
