import { type BoardProcess, type MonoMs, monoMs, processId, type ProcessId } from "@postrider/core";
import {
  announce,
  type BoardShare,
  BOARD_LIVE_MS,
  hearShares,
  isSettled,
  joinBoard,
  shareOfLimit,
  usableShare,
} from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Processes that beat one after the other on one board. Each may die, or not drain what it has under way. */
function createPlay() {
  const shares = new Map<ProcessId, BoardShare>();
  const board = new Map<ProcessId, number>();
  const seenAt = new Map<ProcessId, MonoMs>();
  return {
    beat: (process: ProcessId, isDrained: boolean, now: MonoMs): void => {
      const next = announce(shares.get(process) ?? joinBoard(now), isDrained, now);
      board.set(process, next.announced);
      seenAt.set(process, now);
      for (const [one, at] of seenAt) if (now - at > BOARD_LIVE_MS) board.delete(one);
      const processes: BoardProcess[] = [...board].map(([id, share]) => ({ process: id, share }));
      shares.set(process, hearShares(next, { process, processes, askedAt: now }));
    },
    /** What all that have told within the time of life may use together; what is not drained yet is still in use. */
    inUse: (now: MonoMs): number =>
      [...shares].reduce((sum, [process, { granted }]) => {
        return now - (seenAt.get(process) ?? now) <= BOARD_LIVE_MS ? sum + granted : sum;
      }, 0),
    leave: (process: ProcessId): void => {
      shares.delete(process);
      board.delete(process);
      seenAt.delete(process);
    },
    of: (process: ProcessId) => shares.get(process),
  };
}

const PROCESSES = ["a", "b", "c", "d"].map(processId);

describe("the parts of processes", () => {
  it("are never more than the whole, whenever they join, die and drain", () => {
    const steps = fc.array(
      fc.record({
        process: fc.constantFrom(...PROCESSES),
        afterMs: fc.nat(1_500),
        does: fc.constantFrom("beat", "beat", "full", "leave"),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (played) => {
        const play = createPlay();
        let now = monoMs(0);
        for (const { process, afterMs, does } of played) {
          now = monoMs(now + afterMs);
          if (does === "leave") play.leave(process);
          else play.beat(process, does === "beat", now);
          expect(play.inUse(now)).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("are equal within three seconds, once all that live tell so each second", () => {
    const play = createPlay();
    for (let second = 0; second <= 10; second += 1) {
      const living = second < 3 ? PROCESSES.slice(0, 1) : PROCESSES;
      living.forEach((process, nth) => play.beat(process, true, monoMs(second * 1_000 + nth)));
      if (second === 2) expect(usableShare(play.of(PROCESSES[0] as ProcessId) ?? joinBoard(monoMs(0)))).toBe(1);
      if (second < 6) continue;
      for (const process of PROCESSES) {
        const share = play.of(process) ?? joinBoard(monoMs(0));
        expect([usableShare(share), isSettled(share)]).toEqual([0.25, true]);
      }
    }
  });

  it("are not given to others before the one who has them has drained", () => {
    const play = createPlay();
    const [a, b] = PROCESSES as [ProcessId, ProcessId];
    for (let second = 0; second <= 5; second += 1) play.beat(a, true, monoMs(second * 1_000));
    for (let second = 6; second <= 9; second += 1) {
      play.beat(a, false, monoMs(second * 1_000));
      play.beat(b, true, monoMs(second * 1_000 + 1));
    }
    expect([play.of(a), play.of(b)].map((share) => share && usableShare(share))).toEqual([0.5, 0]);
    play.beat(a, true, monoMs(10_000));
    play.beat(b, true, monoMs(10_001));
    expect([play.of(a), play.of(b)].map((share) => share && usableShare(share))).toEqual([0.5, 0.5]);
  });

  it("are lost by a process that others took for dead", () => {
    const play = createPlay();
    const [a] = PROCESSES as [ProcessId];
    for (let second = 0; second <= 5; second += 1) play.beat(a, true, monoMs(second * 1_000));
    play.beat(a, true, monoMs(5_000 + BOARD_LIVE_MS + 1));
    expect(usableShare(play.of(a) ?? joinBoard(monoMs(0)))).toBe(0);
  });

  it("of a limit sum up to no more than it, or are one each", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 512 }), fc.integer({ min: 1, max: 300 }), (limit, live) => {
        const each = shareOfLimit(limit, 1 / live);
        expect(each).toBeGreaterThanOrEqual(1);
        if (each > 1) expect(each * live).toBeLessThanOrEqual(limit);
      }),
    );
    expect([shareOfLimit(32, 1), shareOfLimit(32, 0)]).toEqual([32, 1]);
  });
});
