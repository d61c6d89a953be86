import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createIdRandom, createSystemRandom } from "@postrider/system";

describe("the system's randomness", () => {
  it("draws units from 0 up to but not including 1, on both sides of one half", () => {
    const random = createSystemRandom();
    const draws = Array.from({ length: 2_000 }, () => random.unit());
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
    expect(new Set(draws).size).toBe(draws.length);
  });

  it.each([0, 1, 32, 8_191, 8_192, 8_193, 65_536, 65_537, 200_000])("draws %i bytes", (count) => {
    expect(createSystemRandom().bytes(count)).toHaveLength(count);
  });

  it("leaves no part of a long draw untouched", () => {
    const drawn = createSystemRandom().bytes(200_000);
    for (let from = 0; from < drawn.length; from += 1_000) {
      expect(drawn.subarray(from, from + 1_000).some((byte) => byte !== 0)).toBe(true);
    }
  });

  it("draws different tokens", () => {
    const random = createSystemRandom();
    expect(random.bytes(16)).not.toEqual(random.bytes(16));
  });
});

describe("the bytes of the platform", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Each block of the platform: a copy of its bytes, and the array that it was written to. */
  function countUp() {
    const blocks: { readonly given: readonly number[]; readonly standing: Uint8Array }[] = [];
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      const standing = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (const index of standing.keys()) standing[index] = 1 + ((blocks.length + index) % 251);
      blocks.push({ given: [...standing], standing });
      return array;
    });
    return blocks;
  }

  it("are handed out once each, in their order", () => {
    const blocks = countUp();
    const random = createSystemRandom();
    let place = 0;
    for (let draw = 0; draw < 2_000; draw += 1) {
      const before = blocks.length;
      const drawn = [...random.bytes((draw * 7) % 40)];
      if (blocks.length > before) place = 0;
      expect(drawn).toEqual(blocks.at(-1)?.given.slice(place, place + drawn.length) ?? []);
      place += drawn.length;
    }
    expect(blocks.length).toBeGreaterThan(3);
  });

  it("are overwritten in their block, those of a unit too", () => {
    const blocks = countUp();
    const random = createSystemRandom();
    expect(random.bytes(16).every((byte) => byte > 0)).toBe(true);
    random.unit();
    expect(blocks[0]!.standing.findIndex((byte) => byte > 0)).toBe(24);
  });

  it("are asked for by the block, and not before the first draw", () => {
    const blocks = countUp();
    const random = createSystemRandom();
    expect(blocks).toHaveLength(0);
    for (let draw = 0; draw < 512; draw += 1) random.bytes(16);
    expect(blocks).toHaveLength(1);
    random.unit();
    expect(blocks).toHaveLength(2);
  });
});

describe("randomness for ids", () => {
  it.each(["with", "without"])("is in its range and not the same twice, %s a cryptographic source", (source) => {
    if (source === "without") vi.stubGlobal("crypto", undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const random = createIdRandom();
    const [one, other] = [random.bytes(16), random.bytes(16)];
    expect(one).toHaveLength(16);
    expect(one).not.toEqual(other);
    expect(Math.max(...Array.from({ length: 100 }, () => Math.max(...random.bytes(16))))).toBeGreaterThan(200);
    for (const drawn of Array.from({ length: 100 }, () => random.unit())) {
      expect(drawn).toBeGreaterThanOrEqual(0);
      expect(drawn).toBeLessThan(1);
    }
  });
});
