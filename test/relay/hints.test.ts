import type { DestinationId, Hints } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { CRM, createRig, destination, type Rig, type RigOptions, track } from "./rig.js";

/** The interval of polls: anything that happens sooner is due to a hint. */
const POLL_MS = 60_000;

interface FakeHints {
  readonly hints: Hints;
  /** The published hints, in order. */
  readonly told: readonly (readonly string[])[];
  /** Tells all that listen. */
  readonly say: (...lanes: readonly string[]) => void;
  readonly listeners: () => number;
}

function createFakeHints(tells: () => Promise<void> = () => Promise.resolve()): FakeHints {
  const published: (readonly DestinationId[])[] = [];
  const listeners = new Set<(lanes: readonly DestinationId[]) => void>();
  return {
    told: published,
    say: (...lanes): void => {
      for (const listener of listeners) listener(lanes as readonly DestinationId[]);
    },
    listeners: () => listeners.size,
    hints: {
      tell: (lanes) => {
        published.push(lanes);
        return tells();
      },
      listen: (onTold) => {
        listeners.add(onTold);
        return () => listeners.delete(onTold);
      },
    },
  };
}

interface Pair {
  readonly taker: Rig;
  readonly deliverer: Rig;
}

/** A process that only takes calls, and one that delivers, on one store, a store that tells no hints to the other by itself. */
async function pairOn(hints: Hints, options: RigOptions = {}): Promise<Pair> {
  const disk = createMemoryDisk();
  const rigOf = (delivers: boolean): Rig => {
    const store = { ...createMemoryStore({ disk }), hints };
    return createRig({ ...options, relay: { store, delivers, pollMs: POLL_MS } });
  };
  const pair = { taker: rigOf(false), deliverer: rigOf(true) };
  await advance(pair, 10);
  return pair;
}

async function advance({ taker, deliverer }: Pair, ms: number): Promise<void> {
  await taker.advance(ms);
  await deliverer.advance(ms);
}

function calls(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => track({ messageId: `m${String(index)}` }));
}

describe("a process that only takes calls", () => {
  it("tells others of the first call at once, and of those that follow at most ten times a second", async () => {
    const { hints, told } = createFakeHints();
    const { taker } = await pairOn(hints);
    await taker.accept(track());
    expect(told).toEqual([[CRM]]);
    for (let call = 0; call < 50; call += 1) {
      await taker.accept(track());
      await taker.advance(10);
    }
    expect(told.length).toBeGreaterThanOrEqual(5);
    expect(told.length).toBeLessThanOrEqual(7);
  });

  it("tells nothing while nothing comes in", async () => {
    const { hints, told } = createFakeHints();
    const { taker } = await pairOn(hints);
    await taker.accept(track());
    await taker.advance(5 * POLL_MS);
    expect(told).toEqual([[CRM]]);
  });

  it("names each lane once, and none if they are more than a hundred", async () => {
    const { hints, told } = createFakeHints();
    const destinations = Array.from({ length: 101 }, (_, index) => destination(`d${String(index)}`, ["a"]));
    const { taker } = await pairOn(hints, { destinations });
    await taker.accept(...calls(3));
    await taker.advance(200);
    expect(told[0]).toEqual(["d0"]);
    expect(told[1]).toEqual([]);
  });

  it("accepts although hints fail", async () => {
    const { hints } = createFakeHints(() => Promise.reject(new Error("no connection")));
    const { taker, deliverer } = await pairOn(hints);
    expect(await taker.accept(track())).toMatchObject([{ kind: "accepted" }]);
    await deliverer.advance(2 * POLL_MS);
    expect(deliverer.seen).toHaveLength(1);
    expect(taker.logged).toEqual([]);
  });
});

describe("a process that delivers", () => {
  it("sends what another has accepted as soon as it is told of its lane", async () => {
    const { hints, say } = createFakeHints();
    const { taker, deliverer } = await pairOn(hints);
    await taker.accept(track());
    await deliverer.advance(100);
    expect(deliverer.seen).toHaveLength(0);
    say(CRM);
    await deliverer.advance(100);
    expect(deliverer.seen).toHaveLength(1);
  });

  it("looks at all lanes if none is named", async () => {
    const { hints, say } = createFakeHints();
    const { taker, deliverer } = await pairOn(hints);
    await taker.accept(track());
    say();
    await deliverer.advance(100);
    expect(deliverer.seen).toHaveLength(1);
  });

  it("knows no lane from hints that its settings do not have", async () => {
    const { hints, say } = createFakeHints();
    const { deliverer } = await pairOn(hints);
    say("unheard-of");
    await deliverer.advance(100);
    expect(
      deliverer
        .relay()
        .lanes()
        .map(({ lane }) => lane),
    ).toEqual([CRM]);
  });

  it("tells nothing of what it delivers itself", async () => {
    const { hints, told } = createFakeHints();
    const { deliverer } = await pairOn(hints);
    await deliverer.accept(...calls(300));
    await deliverer.advance(1_000);
    expect(told).toEqual([]);
    expect(deliverer.seen).toHaveLength(300);
  });

  it("tells others when it leaves, and listens no more", async () => {
    const { hints, told, listeners } = createFakeHints();
    const { deliverer } = await pairOn(hints);
    expect(listeners()).toBe(1);
    await deliverer.relay().stop();
    expect(told).toEqual([[]]);
    expect(listeners()).toBe(0);
  });
});
