import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacedStarts } from "../../../../packages/postrider/src/server/connections/reading-queue.js";

/** Starts whose ticks come by hand; those with the same first letter are of one network. */
function pacedStarts({ maxAcceptedInRow = 4, maxPromptPerNetwork = 1, maxStartsPerTick = 1 } = {}) {
  const started: string[] = [];
  const ticks: (() => void)[] = [];
  const starts = createPacedStarts<string>({
    limits: { maxAcceptedInRow, maxPromptPerNetwork, maxStartsPerTick },
    start: (name) => started.push(name),
    clock: {
      after: (_, tick) => {
        ticks.push(tick);
        return () => undefined;
      },
    },
  });
  /** Accepts a connection, or none, and takes a tick; answers which have started. */
  const turn = (accepted?: string): readonly string[] => {
    const before = started.length;
    if (accepted !== undefined) starts.enter(accepted, accepted.slice(0, 1));
    for (const tick of ticks.splice(0)) tick();
    return started.slice(before);
  };
  return { turn, started, leave: (name: string) => starts.leave(name), isIdle: () => ticks.length === 0 };
}

describe("starts of connections", () => {
  it("come at once for the first of a network, and after the row for the others, a few in a tick", () => {
    const { turn, isIdle } = pacedStarts({ maxAcceptedInRow: 10, maxStartsPerTick: 2 });
    const names = ["a1", "a2", "a3", "a4", "b1"];
    expect(names.map((name) => turn(name))).toEqual([["a1"], [], [], [], ["b1"]]);
    expect([turn(), turn(), isIdle()]).toEqual([["a2", "a3"], ["a4"], true]);
  });

  it("come at once again when a tick has passed without any", () => {
    const { turn, isIdle } = pacedStarts();
    expect([turn("a1"), turn(), turn("a2"), turn(), isIdle()]).toEqual([["a1"], [], ["a2"], [], true]);
  });

  it("come in a row without end too, one for so many that are accepted", () => {
    const { turn } = pacedStarts();
    const names = Array.from({ length: 12 }, (_, index) => `a${String(index + 1)}`);
    // Each row of four begins with one that is read at once, and ends with one that has waited.
    expect(names.flatMap((name) => turn(name))).toEqual(["a1", "a2", "a5", "a3", "a9", "a4"]);
  });

  it("do not come for one that has been closed", () => {
    const { turn, leave } = pacedStarts();
    for (const name of ["a1", "a2", "a3"]) turn(name);
    leave("a2");
    expect([turn(), turn()]).toEqual([["a3"], []]);
  });

  it("come for each that stays, once, and end", () => {
    const network = fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(network),
        (maxAcceptedInRow, maxPromptPerNetwork, all) => {
          const { turn, started, isIdle } = pacedStarts({ maxAcceptedInRow, maxPromptPerNetwork });
          const names = all.map((of, index) => (of === undefined ? undefined : `${of}${String(index)}`));
          for (const name of names) turn(name);
          for (let left = 2 * names.length + 2; left > 0 && !isIdle(); left -= 1) turn();
          expect(isIdle()).toBe(true);
          expect(started.toSorted()).toEqual(names.filter((name) => name !== undefined).toSorted());
        },
      ),
    );
  });
});
