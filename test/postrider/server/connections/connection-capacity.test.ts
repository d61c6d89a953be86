import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createConnectionPlaces } from "../../../../packages/postrider/src/server/connections/connection-capacity.js";

describe("places of connections", () => {
  it("are free up to their bound", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 2, maxKeylessPerNetwork: 2 });
    expect([places.enter("a", "x"), places.enter("b", "y"), places.size()]).toEqual([undefined, undefined, 2]);
    places.leave("a");
    places.leave("a");
    expect([places.enter("c", "x"), places.size()]).toEqual([undefined, 2]);
  });

  it("are given up by what has waited longest without a key", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 3, maxKeylessPerNetwork: 2 });
    for (const name of ["a", "b", "c"]) places.enter(name, "x");
    places.note("a", true);
    expect([places.enter("d", "y"), places.enter("e", "y")]).toEqual(["b", "c"]);
    for (const name of ["d", "e"]) places.begin(name);
    places.note("a", false);
    expect([places.enter("f", "z"), places.enter("g", "z"), places.enter("h", "w")]).toEqual(["d", "e", "a"]);
    expect(places.size()).toBe(3);
  });

  it("are given up by the network that has most of those beyond its share", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 6, maxKeylessPerNetwork: 2 });
    for (const name of ["a1", "a2", "b1", "b2", "b3", "c1"]) places.enter(name, name.slice(0, 1));
    // b has three, then two; from then on none has more than its share.
    expect([places.enter("d1", "d"), places.enter("e1", "e")]).toEqual(["b1", "a1"]);
    // f has three at last, and makes room for itself.
    expect(["f1", "f2", "f3", "f4"].map((name) => places.enter(name, "f"))).toEqual(["a2", "b2", "f1", "f2"]);
  });

  it("are not given up first by a network that is over its share with what has shown a key", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 4, maxKeylessPerNetwork: 2 });
    for (const name of ["a1", "b1", "b2", "b3"]) places.enter(name, name.slice(0, 1));
    places.note("b1", true);
    expect(places.enter("c1", "c")).toBe("a1");
    places.note("b1", false);
    expect(places.enter("d1", "d")).toBe("b2");
  });

  it("keep the turn of what shows no key again", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 2, maxKeylessPerNetwork: 2 });
    places.enter("a", "x");
    places.enter("b", "x");
    places.note("a", false);
    expect(places.enter("c", "x")).toBe("a");
  });

  it("are given up by what has been read before what has not", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 2, maxKeylessPerNetwork: 2 });
    for (const name of ["a", "b"]) places.enter(name, name);
    places.begin("b");
    expect(places.enter("c", "c")).toBe("b");
    expect(places.enter("d", "d")).toBe("a");
  });

  it("are not given up by what has shown a key: then there is none for a new one", () => {
    const places = createConnectionPlaces<string>({ maxConnections: 1, maxKeylessPerNetwork: 2 });
    places.enter("a", "x");
    places.note("a", true);
    expect([places.enter("b", "x"), places.size()]).toEqual(["b", 1]);
    places.note("b", true);
    expect([places.enter("c", "x"), places.size()]).toEqual(["c", 1]);
  });

  it("are never more than their bound, and no keyed connection loses its own", () => {
    const step = fc.record({
      act: fc.constantFrom("enter", "begin", "keyed", "keyless", "leave"),
      connection: fc.nat(12),
      network: fc.constantFrom("x", "y", "z"),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const places = createConnectionPlaces<number>({ maxConnections: most, maxKeylessPerNetwork: 2 });
        const open = new Map<number, boolean>();
        for (const { act, connection, network } of steps) {
          if (act === "enter" && !open.has(connection)) {
            open.set(connection, false);
            const loser = places.enter(connection, network);
            if (loser !== undefined) {
              expect(open.get(loser)).toBe(false);
              open.delete(loser);
            }
          }
          if (act === "begin") places.begin(connection);
          if (act === "leave") places.leave(connection);
          if (act === "leave") open.delete(connection);
          if (act.startsWith("key")) places.note(connection, act === "keyed");
          if (act.startsWith("key") && open.has(connection)) open.set(connection, act === "keyed");
          expect(places.size()).toBe(open.size);
          expect(open.size).toBeLessThanOrEqual(most);
        }
      }),
    );
  });
});
