// The ring asks for a further segment in time, and tells those that it drops to forget what they hold.

import { describe, expect, it } from "vitest";
import { createRing } from "../../packages/relay/src/trace/record/record-ports.js";
import type { LiveSegment } from "../../packages/relay/src/trace/record/segment.js";

function scene(maxBytes: number) {
  const ring = createRing(maxBytes);
  const told: string[] = [];
  const begin = (name: string) => {
    let keptBytes = 0;
    const turns = [name];
    const segment = {
      turns,
      owner: { renew: () => void told.push(`renew ${name}`) },
      keptBytes: () => keptBytes,
      drop: () => {
        told.push(`drop ${name}`);
        turns.length = 0;
      },
    } as unknown as LiveSegment;
    ring.add(segment);
    return async (to: number) => {
      keptBytes = to;
      ring.onGrowth(() => segment, to);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    };
  };
  return { begin, ring, told, names: () => ring.segments().flatMap(({ turns }) => turns as readonly unknown[]) };
}

describe("a ring", () => {
  it("asks for another segment once the newest has a quarter of it", async () => {
    const { begin, told } = scene(400);
    const grow = begin("a");
    await grow(99);
    expect(told).toEqual([]);
    await grow(100);
    expect(told).toEqual(["renew a"]);
  });

  it("asks again from time to time if there is none, and drops what has become too large", async () => {
    const { begin, ring, told } = scene(640);
    const grow = begin("a");
    for (const bytes of [160, 165, 170, 180, 641]) await grow(bytes);
    expect(told).toEqual(["renew a", "renew a", "renew a", "drop a", "renew a"]);
    expect(ring.segments()).toEqual([]);
  });

  it("drops the oldest segments first", async () => {
    const { begin, told, names } = scene(400);
    for (const name of ["a", "b", "c"]) await begin(name)(150);
    const grow = begin("d");
    await grow(100);
    expect(told.filter((one) => one.startsWith("drop"))).toEqual(["drop a"]);
    expect(names()).toEqual(["b", "c", "d"]);
  });
});
