import { createSeededRandom } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const DRAWS = 20_000;

describe("seeded chance", () => {
  it("repeats itself from the same seed", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(40), (seed, count) => {
        const [one, other] = [createSeededRandom(seed), createSeededRandom(seed)];
        expect([one.unit(), one.bytes(count), one.unit()]).toEqual([other.unit(), other.bytes(count), other.unit()]);
      }),
    );
  });

  it("differs between seeds, also between adjacent ones", () => {
    const firsts = Array.from({ length: 1_000 }, (_, seed) => createSeededRandom(seed).unit());
    expect(new Set(firsts).size).toBe(1_000);
  });

  it("draws evenly with the first number of adjacent seeds, as if they were one sequence", () => {
    // The masks by which the simulator derives several sequences from one seed, and none.
    for (const mask of [0, 0x2545f491, 0x1b873593, 0x55555555, -1]) {
      for (const seeds of [100, 10_000]) {
        const firsts = Array.from({ length: seeds }, (_, seed) => createSeededRandom((seed + 1) ^ mask).unit());
        const rare = firsts.filter((unit) => unit < 0.05).length;
        // Four standard deviations of a binomial distribution.
        expect(Math.abs(rare - 0.05 * seeds)).toBeLessThan(4 * Math.sqrt(0.05 * 0.95 * seeds));
      }
    }
  });

  it("draws from [0, 1), evenly", () => {
    for (const seed of [0, 1, -7, 2 ** 31]) {
      const random = createSeededRandom(seed);
      const tenths = new Array<number>(10).fill(0);
      for (let draw = 0; draw < DRAWS; draw += 1) {
        const unit = random.unit();
        expect(unit >= 0 && unit < 1).toBe(true);
        tenths[Math.floor(unit * 10)] = (tenths[Math.floor(unit * 10)] ?? 0) + 1;
      }
      for (const count of tenths) expect(Math.abs(count - DRAWS / 10)).toBeLessThan(DRAWS / 50);
    }
  });

  it("gives as many bytes as asked, of every value", () => {
    const random = createSeededRandom(3);
    expect(random.bytes(0)).toEqual(new Uint8Array());
    const bytes = random.bytes(DRAWS);
    expect(bytes.length).toBe(DRAWS);
    expect(new Set(bytes).size).toBe(256);
  });
});
