import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createProgressDisplay } from "../../../packages/postrider/src/cli/progress-display.js";

function shown({ isTerminal }: { readonly isTerminal: boolean }) {
  const lines: string[] = [];
  const clock = createManualClock();
  const say = (line: string): void => void lines.push(line);
  const status = isTerminal ? { status: say } : {};
  return { lines, clock, progress: createProgressDisplay({ clock, err: say, ...status }) };
}

describe("progress", () => {
  it("is a bar on a terminal, which is removed at the end", () => {
    const { lines, progress } = shown({ isTerminal: true });
    progress.show({ doing: "sending", done: 1_250_000, total: 10_000_000, note: "3 changes so far" });
    progress.show({ doing: "sending", done: 7 });
    progress.clear();
    expect(lines).toEqual([
      "[###---------------------] 12 %, sending 1,250,000 of 10,000,000, 3 changes so far",
      "sending 7",
      "",
    ]);
  });

  it("is a line in a log from time to time, and at once for another kind of work", async () => {
    const { lines, clock, progress } = shown({ isTerminal: false });
    await clock.advance(10_000);
    progress.show({ doing: "sending", done: 1, total: 4 });
    progress.show({ doing: "sending", done: 2, total: 4 });
    progress.show({ doing: "merging", done: 0, total: 0 });
    await clock.advance(10_000);
    progress.show({ doing: "merging", done: 4 });
    progress.clear();
    expect(lines).toEqual(["25 %, sending 1 of 4", "merging 0 of 0", "merging 4"]);
  });

  it("has no line in the log for work that ends within ten seconds", async () => {
    const { lines, clock, progress } = shown({ isTerminal: false });
    for (const doing of ["sending", "merging", "comparing"]) {
      progress.show({ doing, done: 1, total: 4 });
      await clock.advance(3_333);
    }
    progress.clear();
    expect(lines).toEqual([]);
    await clock.advance(1);
    progress.show({ doing: "comparing", done: 2, total: 4 });
    expect(lines).toEqual(["50 %, comparing 2 of 4"]);
  });
});
