import { createManualClock } from "@postrider/memory";
import type { LogEntry } from "@postrider/relay";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOG_BURST, LOG_WINDOW_MS, MAX_LOG_SUBJECTS } from "../../packages/relay/src/limits.js";
import { createLogLimit, type LogLine } from "../../packages/relay/src/log-limit.js";
import "../property.js";

function line(destination: string, code = "bad-status"): LogLine {
  return { level: "warning", entry: { code, destination, delivery: "d1", detail: "503" } };
}

/** Passes lines to a limit, and keeps its output. */
function open() {
  const clock = createManualClock();
  const limit = createLogLimit(clock);
  const entries: LogEntry[] = [];
  const say = (one: LogLine): void => {
    const isAdmitted = limit.admits(one);
    entries.push(...limit.sums().map(({ entry }) => entry));
    if (isAdmitted) entries.push(one.entry);
  };
  return { clock, limit, written: entries, say };
}

describe("the limit of the log", () => {
  it("is separate for each destination, so that a noisy one does not suppress lines of others", () => {
    const { written, say } = open();
    for (let count = 0; count < 1_000; count += 1) say(line("noisy"));
    say(line("quiet"));
    expect(written).toHaveLength(LOG_BURST + 1);
    expect(written.at(-1)).toMatchObject({ destination: "quiet" });
  });

  it("writes no sum of a subject of which it has left out nothing", async () => {
    const { clock, limit, written, say } = open();
    await clock.advance(LOG_WINDOW_MS);
    for (let count = 0; count < LOG_BURST; count += 1) say(line("noisy"));
    await clock.advance(LOG_WINDOW_MS);
    expect(limit.sums()).toEqual([]);
    expect(written).toHaveLength(LOG_BURST);
  });

  it("begins no new window while one is open, however late it began", async () => {
    const { clock, written, say } = open();
    await clock.advance(3 * LOG_WINDOW_MS);
    for (let count = 0; count < 2 * LOG_BURST; count += 1) say(line("noisy"));
    expect(written).toHaveLength(LOG_BURST);
  });

  it("writes the sum in a separate line at the first event after the window", async () => {
    const { clock, limit, say } = open();
    for (let count = 0; count < 25; count += 1) say(line("noisy"));
    await clock.advance(LOG_WINDOW_MS - 1);
    expect(limit.sums()).toEqual([]);
    await clock.advance(1);
    const sum = { level: "warning", entry: { code: "bad-status", destination: "noisy", suppressed: 15 } };
    expect(limit.sums()).toEqual([sum]);
    expect(limit.sums()).toEqual([]);
  });

  it("counts a bounded number of subjects, and writes the sum of one that is removed", () => {
    const { written, say } = open();
    for (let count = 0; count <= LOG_BURST; count += 1) say(line("first"));
    for (let count = 1; count < MAX_LOG_SUBJECTS; count += 1) say(line(`d${String(count)}`));
    expect(written.filter(({ suppressed }) => suppressed !== undefined)).toEqual([]);
    say(line("one more"));
    expect(written.filter(({ suppressed }) => suppressed !== undefined)).toEqual([
      { code: "bad-status", destination: "first", suppressed: 1 },
    ]);
  });

  it("writes or counts every line exactly once, and writes few of a subject within a window", async () => {
    const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(40), fc.constantFrom(0, 1_000, LOG_WINDOW_MS)), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        const { clock, limit, written, say } = open();
        let said = 0;
        for (const [destination, times, passMs] of todo) {
          for (let count = 0; count < times; count += 1) say(line(String(destination)));
          said += times;
          await clock.advance(passMs);
        }
        await clock.advance(LOG_WINDOW_MS);
        written.push(...limit.sums().map(({ entry }) => entry));
        const reported = written.reduce((sum, { suppressed }) => sum + (suppressed ?? 1), 0);
        expect(reported).toBe(said);
      }),
    );
  });
});
