// A sync whose process dies at any of the requests to its stores, before it takes effect or before its answer arrives. The
// next process ends the sync, or the host syncs again: in the end every destination knows the members, was told each change
// once, and no unneeded set is left.

import { describe, expect, it } from "vitest";
import {
  type AudienceRig,
  type AudienceRigOptions,
  CRM,
  createAudienceRig,
  crm,
  MAIL,
  mail,
  SILENCE_MS,
} from "./audience-rig.js";

const BEFORE = Array.from("abcdefghijklm");
/** Given out of order and twice: three runs, merged in two passes. */
const AFTER = ["y", "c", "e", "x", "d", "f", "c", "g", "w", "m", "x", "v", "l"];
const GONE = BEFORE.filter((userId) => !AFTER.includes(userId));
const NEW = ["v", "w", "x", "y"];

/** Small bounds, so that there are many points at which to die. */
const SMALL = {
  syncBounds: { chunkMembers: 2, runChunks: 2, appendMembers: 3, mergeRuns: 2, stepChanges: 3 },
};

interface Death {
  readonly at: number;
  /** Whether the last request took effect. */
  readonly isDone: boolean;
}

/** Dies once, at request number `at` from when it is armed. */
function createFate({ at, isDone }: Death) {
  let left = Infinity;
  let kill = (): void => undefined;
  const count = (what: string): void => {
    if (!OF_SYNCS.has(what)) return;
    left -= 1;
    if (left === 0) kill();
  };
  return {
    rig: (isDone ? { onAsked: count } : { onAsk: count }) satisfies AudienceRigOptions,
    arm: (rig: AudienceRig): void => {
      left = at;
      kill = rig.crash;
    },
    hasHit: () => left <= 0,
  };
}

const OF_SYNCS: ReadonlySet<string> = new Set("find list replace append read sets drop commit".split(" "));

/** Answers whether it died. */
async function playDeath(death: Death): Promise<boolean> {
  const fate = createFate(death);
  const rig = createAudienceRig({ ...fate.rig, destinations: [crm(), mail()], relay: SMALL });
  await rig.create({ destinations: [CRM, MAIL] });
  await rig.sync(BEFORE);
  expect(rig.heard()).toHaveLength(2 * BEFORE.length);
  const from = rig.messages().length;

  fate.arm(rig);
  void rig.relay().syncAudience("vip", AFTER);
  await rig.clock.advance(5_000);
  if (fate.hasHit()) await recover(rig);
  await expectToldOnce(rig, from);
  return fate.hasHit();
}

/** As a host does: it starts again, waits, and syncs again if the sync was lost. */
async function recover(rig: AudienceRig): Promise<void> {
  rig.restart();
  await rig.clock.advance(SILENCE_MS);
  const { last, running } = await rig.record();
  expect(running).toBeNull();
  if (last?.sync === 1) await rig.sync(AFTER);
  await rig.clock.advance(SILENCE_MS);
}

async function expectToldOnce(rig: AudienceRig, from: number): Promise<void> {
  const lines = [CRM, MAIL].flatMap((to) => [
    ...GONE.map((userId) => `${to} ${userId} false`),
    ...NEW.map((userId) => `${to} ${userId} true`),
  ]);
  const told = new Map(
    rig
      .messages()
      .slice(from)
      .map((message) => [message.messageId, message]),
  );
  expect(
    [...told.values()]
      .map(({ destination, userId, traits }) => [destination, userId, traits?.["vip"]].join(" "))
      .toSorted(),
  ).toEqual(lines.toSorted());
  const record = await rig.record();
  const [set, ...others] = await rig.audiences.sets("");
  expect(others).toEqual([]);
  expect(record.running).toBeNull();
  for (const { parts } of record.told) expect(parts).toEqual([{ set, upTo: null }]);
  expect(record.told).toHaveLength(2);
  const { deliveries } = await rig.deliveries.list({ limit: 1_000 });
  expect(deliveries.every(({ state }) => state === "delivered")).toBe(true);
}

async function playAll(isDone: boolean): Promise<number> {
  for (let at = 1; at < 1_000; at += 1) {
    const died = await playDeath({ at, isDone });
    if (!died) return at - 1;
  }
  throw new Error("a sync asks without end");
}

describe("a sync whose process dies", () => {
  it("before any of its requests takes effect is completed later", async () => {
    expect(await playAll(false)).toBeGreaterThan(60);
  });

  it("before any of the answers arrives is completed later", async () => {
    expect(await playAll(true)).toBeGreaterThan(60);
  });
});
