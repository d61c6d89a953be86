import { describe, expect, it } from "vitest";
import { createFairQueue, type QueuedTurn, type FairQueue } from "../../../packages/relay/src/intake/turns.js";
import { MAX_SLICED, MAX_SLICED_AT_ONCE, MAX_SLICED_OF_SOURCE } from "../../../packages/relay/src/limits.js";

/** Queues `count` pieces of a source, and notes the sources whose turns have begun. */
function queue(turns: FairQueue, source: string, count: number, begun: string[]): readonly (QueuedTurn | undefined)[] {
  return Array.from({ length: count }, () => {
    const turn = turns.queue(source);
    void turn?.begins.then(() => begun.push(source));
    return turn;
  });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("turns", () => {
  it("begin at once while few are under way, and then one for each that ends", async () => {
    const turns = createFairQueue();
    const begun: string[] = [];
    const queued = queue(turns, "a", MAX_SLICED_AT_ONCE + 2, begun);
    await settled();
    expect(begun).toHaveLength(MAX_SLICED_AT_ONCE);
    queued[0]?.end();
    await settled();
    expect(begun).toHaveLength(MAX_SLICED_AT_ONCE + 1);
  });

  it("go first to the source that has the fewest under way", async () => {
    const turns = createFairQueue();
    const begun: string[] = [];
    const [first] = queue(turns, "busy", 10, begun);
    queue(turns, "other", 1, begun);
    await settled();
    expect(begun).not.toContain("other");
    first?.end();
    await settled();
    expect(begun.at(-1)).toBe("other");
  });

  it("are refused if the source has too many, or all sources together have", () => {
    const turns = createFairQueue();
    const first = queue(turns, "a", MAX_SLICED_OF_SOURCE + 1, []);
    expect(first.map((turn) => turn !== undefined).lastIndexOf(true)).toBe(MAX_SLICED_OF_SOURCE - 1);
    const otherTurns = queue(turns, "b", MAX_SLICED - MAX_SLICED_OF_SOURCE + 1, []);
    expect(otherTurns.at(-1)).toBeUndefined();
    expect(otherTurns.at(-2)).toBeDefined();
    first[0]?.end();
    expect(turns.queue("c")).toBeDefined();
  });

  it("that still wait end when it is closed", async () => {
    const turns = createFairQueue();
    const begun: string[] = [];
    queue(turns, "a", MAX_SLICED_AT_ONCE + 3, begun);
    turns.close();
    await settled();
    expect(begun).toHaveLength(MAX_SLICED_AT_ONCE + 3);
    expect(turns.isClosed()).toBe(true);
    expect(turns.queue("b")).toBeUndefined();
  });
});
