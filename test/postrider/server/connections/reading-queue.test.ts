import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReadingQueue } from "../../../../packages/postrider/src/server/connections/reading-queue.js";

/** A queue whose ticks come by hand; connections with the same first letter are of one network. */
function readingQueue({ maxAcceptedInRow = 4, maxPromptPerNetwork = 1, maxStartsPerTick = 1 } = {}) {
  const read: string[] = [];
  const ticks: (() => void)[] = [];
  const queue = createReadingQueue<string>({
    limits: { maxAcceptedInRow, maxPromptPerNetwork, maxStartsPerTick },
    read: (name) => read.push(name),
    clock: {
      after: (_, tick) => {
        ticks.push(tick);
        return () => undefined;
      },
    },
  });
  /** Accepts a connection, or none, and takes a tick; returns the connections that are read since. */
  const turn = (accepted?: string): readonly string[] => {
    const before = read.length;
    if (accepted !== undefined) queue.add(accepted, accepted.slice(0, 1));
    for (const tick of ticks.splice(0)) tick();
    return read.slice(before);
  };
  return { turn, read, remove: (name: string) => queue.remove(name), isIdle: () => ticks.length === 0 };
}

describe("a reading queue", () => {
  it("reads the first connection of a network at once, and the others after the row, a few in each tick", () => {
    const { turn, isIdle } = readingQueue({ maxAcceptedInRow: 10, maxStartsPerTick: 2 });
    const names = ["a1", "a2", "a3", "a4", "b1"];
    expect(names.map((name) => turn(name))).toEqual([["a1"], [], [], [], ["b1"]]);
    expect([turn(), turn(), isIdle()]).toEqual([["a2", "a3"], ["a4"], true]);
  });

  it("reads at once again when no connection was accepted in a tick", () => {
    const { turn, isIdle } = readingQueue();
    expect([turn("a1"), turn(), turn("a2"), turn(), isIdle()]).toEqual([["a1"], [], ["a2"], [], true]);
  });

  it("reads a waiting connection in an endless row too, one for each full row", () => {
    const { turn } = readingQueue();
    const names = Array.from({ length: 12 }, (_, index) => `a${String(index + 1)}`);
    // Each row of four begins with one that is read at once, and ends with one that waited.
    expect(names.flatMap((name) => turn(name))).toEqual(["a1", "a2", "a5", "a3", "a9", "a4"]);
  });

  it("does not read a connection that was removed", () => {
    const { turn, remove } = readingQueue();
    for (const name of ["a1", "a2", "a3"]) turn(name);
    remove("a2");
    expect([turn(), turn()]).toEqual([["a3"], []]);
  });

  it("reads each connection that is not removed once, and then ends its ticks", () => {
    const network = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(network),
        (maxAcceptedInRow, maxPromptPerNetwork, all) => {
          const { turn, read, isIdle } = readingQueue({ maxAcceptedInRow, maxPromptPerNetwork });
          const names = all.map((of, index) => (of === undefined ? undefined : `${of}${String(index)}`));
          for (const name of names) turn(name);
          for (let left = 2 * names.length + 2; left > 0 && !isIdle(); left -= 1) turn();
          expect(isIdle()).toBe(true);
          expect(read.toSorted()).toEqual(names.filter((name) => name !== undefined).toSorted());
        },
      ),
    );
  });
});
