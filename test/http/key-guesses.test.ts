import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createKeyGuessLimit, type KeyGuessLimit } from "../../packages/http/src/callers.js";

const GUESSER = "203.0.113.7";
const WEBSITE = "website";
const SHOP = "shop";

/** Shows unknown keys until the address is told nothing more, with a bound. */
function exhaust(guesses: KeyGuessLimit, address: string | undefined): number {
  let heard = 0;
  while (heard < 1_000 && guesses.note(address, undefined) === 0) heard += 1;
  return heard;
}

describe("guesses at keys", () => {
  it("are answered a hundred times for one address, then once a second", async () => {
    const clock = createManualClock();
    const guesses = createKeyGuessLimit(clock);
    expect(exhaust(guesses, GUESSER)).toBe(100);
    expect(guesses.note(GUESSER, undefined)).toBe(1_000);
    await clock.advance(3_000);
    expect(exhaust(guesses, GUESSER)).toBe(3);
  });

  it("that are right are limited too, so that they look like the others", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    exhaust(guesses, GUESSER);
    expect(guesses.note(GUESSER, WEBSITE)).toBe(guesses.note(GUESSER, undefined));
  });

  it("do not limit an owner that has used the address before, but limit a new one", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    guesses.note(GUESSER, WEBSITE);
    exhaust(guesses, GUESSER);
    expect(guesses.note(GUESSER, WEBSITE)).toBe(0);
    expect(guesses.note(GUESSER, SHOP)).toBeGreaterThan(0);
  });

  it("of one address do not limit another, but those of one IPv6 network are counted together", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    exhaust(guesses, "2001:db8:1:2::1");
    expect(guesses.note("2001:db8:1:2:ffff::9", undefined)).toBeGreaterThan(0);
    expect(guesses.note("2001:db8:1:3::1", undefined)).toBe(0);
    expect(guesses.note(GUESSER, undefined)).toBe(0);
  });

  it("are not counted where no address is known", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    expect(exhaust(guesses, undefined)).toBe(1_000);
    expect(guesses.waitMs(undefined)).toBe(0);
  });

  it("may count as several, up to the limit", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    guesses.spend(GUESSER, 97);
    expect(guesses.waitMs(GUESSER)).toBe(0);
    guesses.spend(GUESSER, 8);
    expect(guesses.waitMs(GUESSER)).toBe(1_000);
  });

  it("let an owner through that has used the address before, and no other", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    guesses.note(GUESSER, WEBSITE);
    exhaust(guesses, GUESSER);
    expect([guesses.waitMs(GUESSER, WEBSITE), guesses.waitMs(GUESSER, SHOP)]).toEqual([0, 1_000]);
  });

  it("do not count known keys", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    for (let turn = 0; turn < 1_000; turn += 1) expect(guesses.note(GUESSER, WEBSITE)).toBe(0);
    expect(exhaust(guesses, GUESSER)).toBe(100);
  });

  it("limit an address before a key is read, unless an owner has used it", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    expect(guesses.waitMs(GUESSER)).toBe(0);
    exhaust(guesses, GUESSER);
    expect(guesses.waitMs(GUESSER)).toBe(1_000);

    guesses.note("203.0.113.8", WEBSITE);
    exhaust(guesses, "203.0.113.8");
    expect(guesses.waitMs("203.0.113.8")).toBe(0);
  });

  it("are forgotten for the least recently seen address first", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    const other = (index: number): string => `198.51.${String(index >> 8)}.${String(index & 255)}`;
    guesses.note("203.0.113.1", WEBSITE);
    guesses.note("203.0.113.2", SHOP);
    exhaust(guesses, "203.0.113.2");
    exhaust(guesses, "203.0.113.1");
    for (let index = 0; index < 9_999; index += 1) guesses.note(other(index), undefined);
    // There is one address too many. The first address was seen again after the second, so the second is forgotten.
    expect(guesses.note("203.0.113.1", WEBSITE)).toBe(0);
    expect(guesses.note("203.0.113.1", undefined)).toBeGreaterThan(0);
    expect(exhaust(guesses, "203.0.113.2")).toBe(100);
  });

  it("remember a bounded number of owners for an address", () => {
    const guesses = createKeyGuessLimit(createManualClock());
    for (let index = 0; index < 101; index += 1) guesses.note(GUESSER, `s${String(index)}`);
    exhaust(guesses, GUESSER);
    expect(guesses.note(GUESSER, "s99")).toBe(0);
    expect(guesses.note(GUESSER, "s100")).toBeGreaterThan(0);
  });
});
