import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ConnectionQueue,
  createConnectionQueue,
} from "../../../../packages/postrider/src/server/connections/reading-queue.js";

function drain(queue: ConnectionQueue<string>): readonly (string | undefined)[] {
  return Array.from({ length: queue.size() }, () => queue.next());
}

describe("a queue of connections", () => {
  it("is empty at first, and again once all have been taken", () => {
    const queue = createConnectionQueue<string>();
    expect([queue.next(), queue.size()]).toEqual([undefined, 0]);
    queue.add("a1", "a");
    expect([queue.next(), queue.next(), queue.size()]).toEqual(["a1", undefined, 0]);
  });

  it("gives the networks their turns, and within a network the oldest goes first", () => {
    const queue = createConnectionQueue<string>();
    for (const name of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.add(name, name.slice(0, 1));
    expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
  });

  it("lets a network that comes late go before the second one of the others", () => {
    const queue = createConnectionQueue<string>();
    for (const name of ["a1", "a2", "a3"]) queue.add(name, "a");
    expect(queue.next()).toBe("a1");
    queue.add("b1", "b");
    expect(drain(queue)).toEqual(["a2", "b1", "a3"]);
  });

  it("forgets what was removed, and does nothing for what is not in it", () => {
    const queue = createConnectionQueue<string>();
    for (const name of ["a1", "a2", "b1"]) queue.add(name, name.slice(0, 1));
    for (const name of ["b1", "a1", "a1", "c1"]) queue.remove(name);
    expect([queue.size(), queue.next(), queue.next()]).toEqual([1, "a2", undefined]);
  });

  it("gives out each connection once, and between two of a network at most one of each other network", () => {
    const step = fc.record({
      act: fc.constantFrom("add", "add", "next", "remove"),
      network: fc.constantFrom("x", "y", "z"),
      of: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = createConnectionQueue<number>();
        /** By network, oldest first, with the turns that others had since the network's last one. */
        const model = new Map<string, { waiting: number[]; passed: string[] }>();
        for (const network of ["x", "y", "z"]) model.set(network, { waiting: [], passed: [] });
        for (const [index, { act, network, of }] of steps.entries()) {
          const all = [...model.values()].flatMap(({ waiting }) => waiting);
          if (act === "add") {
            queue.add(index, network);
            model.get(network)!.waiting.push(index);
          }
          if (act === "remove" && all.length > 0) {
            const gone = all[of % all.length]!;
            queue.remove(gone);
            for (const one of model.values()) one.waiting = one.waiting.filter((other) => other !== gone);
          }
          if (act === "next") {
            const next = queue.next();
            expect(next !== undefined).toBe(all.length > 0);
            for (const [name, one] of model) {
              if (next !== undefined && one.waiting[0] === next) {
                one.waiting.shift();
                one.passed = [];
                for (const [other, { waiting, passed }] of model) {
                  if (other === name || waiting.length === 0) continue;
                  expect(passed).not.toContain(name);
                  passed.push(name);
                }
              }
            }
          }
          for (const one of model.values()) if (one.waiting.length === 0) one.passed = [];
          expect(queue.size()).toBe([...model.values()].flatMap(({ waiting }) => waiting).length);
        }
      }),
    );
  });
});
