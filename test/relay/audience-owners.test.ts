// A sync belongs to one process at a time. A process that was stopped for longer than its lease finds that another one has
// the sync, and can no longer change it (decision: audiences).

import { type AudienceRecord, DEFAULT_DELIVERY } from "@postrider/core";
import { beginSync, encodeAudience } from "@postrider/core/engine";
import { createManualClock, createSeededRandom } from "@postrider/memory";
import { ok } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { NewIdContext } from "../../packages/relay/src/audiences/audience-storage.js";
import { acquireSyncLease } from "../../packages/relay/src/audiences/sync-task.js";
import { type AudienceRig, createAudienceRig, crm, SILENCE_MS } from "./audience-rig.js";

const USERS = Array.from({ length: 40 }, (_, index) => `u${String(index).padStart(2, "0")}`);
const SLOW = { syncBounds: { stepChanges: 5, laneDeliveries: 10 } };

/** Stores of which the first opened ones can be frozen: requests to them then wait. */
function freezable() {
  let openCount = 0;
  let thawed: Promise<void> = Promise.resolve();
  let thaw = (): void => undefined;
  return {
    wrap: <T extends object>(store: T): T => {
      openCount += 1;
      return openCount <= 2 ? freezeUntil(store, () => thawed) : store;
    },
    freeze: (): void => {
      thawed = new Promise((resolve) => (thaw = resolve));
    },
    thaw: (): void => {
      thaw();
    },
  };
}

function freezeUntil<T extends object>(store: T, thawed: () => Promise<void>): T {
  return new Proxy(store, {
    get: (target, name): unknown => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method === "object" && method !== null) return freezeUntil(method, thawed);
      if (typeof method !== "function") return method;
      return async (...parameters: readonly unknown[]): Promise<unknown> => {
        await thawed();
        return Reflect.apply(method, target, parameters);
      };
    },
  });
}

/** A sync that is being sent; its process is frozen, and another one has resumed it. */
async function openTakenUp() {
  const first = freezable();
  const rig: AudienceRig = createAudienceRig({
    destinations: [crm({ paused: true })],
    relay: SLOW,
    wrapDeliveries: first.wrap,
    wrapAudiences: first.wrap,
  });
  await rig.create();
  const synced = rig.relay().syncAudience("vip", USERS);
  await rig.clock.advance(1_000);
  const owner = (await rig.record()).running?.owner;
  expect(owner).toBeDefined();
  first.freeze();
  rig.join();
  await rig.clock.advance(SILENCE_MS);
  const record = await rig.record();
  expect(record.running?.owner).toBeDefined();
  expect(record.running?.owner).not.toBe(owner);
  return { rig, first, synced };
}

describe("a process that was frozen while another one resumed its sync", () => {
  it("cannot change it when it goes on: each user is told once, and the sync ends once", async () => {
    const { rig, first, synced } = await openTakenUp();
    first.thaw();
    rig.configure(crm());
    await rig.clock.advance(2 * SILENCE_MS);
    expect((await synced)._unsafeUnwrapErr()).toEqual({ code: "sync-running" });
    expect(rig.heard()).toEqual(USERS.map((userId) => `crm ${userId} true`));
    expect(rig.events.filter(({ kind }) => kind === "synced")).toHaveLength(1);
    expect(await rig.record()).toMatchObject({ running: null, last: { sync: 1, entered: 40 } });
  });
});

describe("a sync that waits for room in a lane", () => {
  it("ends with its next renewal once another process has taken it over", async () => {
    const slow = { syncBounds: { stepChanges: 1, laneDeliveries: 1 } };
    const rig = createAudienceRig({ destinations: [crm({ paused: true })], relay: slow });
    await rig.create();
    const ended: string[] = [];
    void rig
      .relay()
      .syncAudience("vip", ["a", "b", "c"])
      .mapErr(({ code }) => ended.push(code));
    await rig.clock.advance(1_000);
    const record = await rig.record();
    if (record.running === null) throw new Error("no sync is under way");
    const replacement = { ...record, revision: record.revision + 1, running: { ...record.running, owner: "another" } };
    expect(await rig.audiences.records.put(encodeAudience(replacement))).toBe(true);
    await rig.clock.advance(DEFAULT_DELIVERY.leaseMs / 2);
    expect(ended).toEqual(["sync-running"]);
    const { revision } = await rig.record();
    expect(revision).toBe(replacement.revision);
  });
});

/** A sync that has just begun, in a process whose timers never fire, as if it stood still between two steps. */
async function beginWithoutTimers() {
  const rig = createAudienceRig();
  await rig.create();
  let stored = await rig.record();
  let changes = 0;
  const clock = createManualClock();
  const context: NewIdContext = {
    clock: { ...clock, after: () => () => undefined },
    random: createSeededRandom(1),
    settings: { workspace: () => ({ delivery: DEFAULT_DELIVERY }) } as NewIdContext["settings"],
    storage: {
      change: ({ decide }: { decide: (record: AudienceRecord) => ReturnType<typeof ok<AudienceRecord>> }) => {
        changes += 1;
        return Promise.resolve(decide(stored).map((record) => (stored = record)));
      },
    } as unknown as NewIdContext["storage"],
  };
  const take = (record: AudienceRecord, holder: Parameters<typeof beginSync>[1]) => ok(beginSync(record, holder, 0));
  const lease = (await acquireSyncLease(context, { key: "vip", take }))._unsafeUnwrap();
  return {
    lease,
    clock,
    changes: () => changes,
    takeOver: (): void => {
      if (stored.running !== null) stored = { ...stored, running: { ...stored.running, owner: "another" } };
    },
  };
}

describe("the lease of a sync that a process holds before it stores changes", () => {
  it("is renewed only if it was not renewed in time", async () => {
    const { lease, clock, changes } = await beginWithoutTimers();
    await clock.advance(DEFAULT_DELIVERY.leaseMs - 1);
    expect((await lease.hold()).isOk()).toBe(true);
    expect(changes()).toBe(1);
    await clock.advance(1);
    expect((await lease.hold()).isOk()).toBe(true);
    expect(changes()).toBe(2);
  });

  it("is lost if another process has the sync by then", async () => {
    const { lease, clock, takeOver } = await beginWithoutTimers();
    takeOver();
    await clock.advance(DEFAULT_DELIVERY.leaseMs);
    expect((await lease.hold())._unsafeUnwrapErr()).toEqual({ code: "sync-running" });
    expect(lease.isLost()).toBe(true);
  });
});
