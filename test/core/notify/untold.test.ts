// When something is told: at once, then at most once in a quarter of an hour, and nothing is left out of the counts.

import type { EpochMs, MonoMs } from "@postrider/core";
import { addOccurrence, afterTelling, isSpent, isToRemind, isToTell, type Untold } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const MINUTE = 60_000;
const at = (ms: number): EpochMs => ms as EpochMs;
const mono = (ms: number): MonoMs => ms as MonoMs;

/** Plays occurrences at these minutes with a look every minute, and answers what was told when. */
function play(minutes: readonly number[], until: number): readonly { readonly at: number; readonly count: number }[] {
  const told: { at: number; count: number }[] = [];
  let untold: Untold | undefined;
  for (let minute = 0; minute <= until; minute += 1) {
    const now = minute * MINUTE;
    for (const one of minutes) if (one === minute) untold = addOccurrence(untold, { count: 1, at: at(now) });
    if (untold === undefined || !isToTell(untold, mono(now))) continue;
    told.push({ at: minute, count: untold.count });
    untold = afterTelling(untold, mono(now));
  }
  return told;
}

describe("what is untold", () => {
  it("is told at once, and again a quarter of an hour later with what came meanwhile", () => {
    expect(play([3, 4, 5, 30], 60)).toEqual([
      { at: 3, count: 1 },
      { at: 18, count: 2 },
      { at: 33, count: 1 },
    ]);
  });

  it("is told at most once in a quarter of an hour, and in the end all of it is", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(120), { maxLength: 40 }), (minutes) => {
        const told = play(minutes, 140);
        const gaps = told.slice(1).map((one, index) => one.at - told[index]!.at);
        expect(gaps.every((gap) => gap >= 15)).toBe(true);
        expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(minutes.length);
      }),
    );
  });

  it("knows the first untold occurrence, and each code once, of which it keeps five", () => {
    const codes = ["503", "503", "dns", "timeout", "500", "501", "502"];
    const first = codes.reduce<Untold | undefined>(
      (before, detail, index) => addOccurrence(before, { count: 2, at: at(index), detail }),
      undefined,
    );
    expect(first).toEqual({ count: 14, since: 0, details: ["503", "dns", "timeout", "500", "501"], toldAt: undefined });
    const next = addOccurrence(afterTelling(first!, mono(9)), { count: 1, at: at(20), detail: "dns" });
    expect(next).toEqual({ count: 1, since: 20, details: ["dns"], toldAt: 9 });
  });

  it("can be forgotten once all is told and a quarter of an hour is over", () => {
    const untold = addOccurrence(undefined, { count: 1, at: at(0) });
    const told = afterTelling(untold, mono(0));
    expect(isSpent(untold, mono(99 * MINUTE))).toBe(false);
    expect(isSpent(told, mono(15 * MINUTE - 1))).toBe(false);
    expect(isSpent(told, mono(15 * MINUTE))).toBe(true);
    expect(isSpent(addOccurrence(told, { count: 1, at: at(1) }), mono(15 * MINUTE))).toBe(false);
  });

  it("of what lasts is counted again after an hour", () => {
    expect(isToRemind(mono(0), mono(60 * MINUTE - 1))).toBe(false);
    expect(isToRemind(mono(0), mono(60 * MINUTE))).toBe(true);
  });
});
