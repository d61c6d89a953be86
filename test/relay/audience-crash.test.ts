// A sync whose process dies at any of the requests to its stores, before it takes effect or before its answer arrives, or
// whose store fails at any of them. The next process ends the sync, or the host syncs again: in the end every destination
// knows the members and got each change once, and no unneeded set is left.

import type { StoreErrorCode } from "@postrider/core";
import type { SyncFault } from "@postrider/relay";
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
import { storeError } from "./rig.js";

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
  /** True if the last request took effect. */
  readonly isDone: boolean;
}

/** Dies once, at request number `at` from when it is armed. */
function createFate({ at, isDone }: Death) {
  let remaining = Infinity;
  let kill = (): void => undefined;
  const count = (what: string): void => {
    if (!OF_SYNCS.has(what)) return;
    remaining -= 1;
    if (remaining === 0) kill();
  };
  return {
    rig: (isDone ? { onAsked: count } : { onAsk: count }) satisfies AudienceRigOptions,
    arm: (rig: AudienceRig): void => {
      remaining = at;
      kill = rig.crash;
    },
    hasHit: () => remaining <= 0,
  };
}

const OF_SYNCS: ReadonlySet<string> = new Set("find list put append read sets drop commit".split(" "));

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

async function recover(rig: AudienceRig): Promise<void> {
  rig.restart();
  await complete(rig);
}

/** As a host does: it waits, and syncs again if the sync was lost. */
async function complete(rig: AudienceRig): Promise<void> {
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
  const countsByLine = new Map(
    rig
      .messages()
      .slice(from)
      .map((message) => [message.messageId, message]),
  );
  expect(
    [...countsByLine.values()]
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

interface Failure {
  readonly at: number;
  readonly code: StoreErrorCode;
  /** For how many requests in a row. */
  readonly times: number;
}

/** Returns the host's answer; undefined if the sync made too few requests for the failure. */
async function playFailure({ at, code, times }: Failure): Promise<Told | undefined> {
  let remaining = Infinity;
  const onAsk = (what: string): void => {
    if (!OF_SYNCS.has(what)) return;
    remaining -= 1;
    if (remaining <= 0 && remaining > -times) throw storeError(code);
  };
  const rig = createAudienceRig({ onAsk, destinations: [crm(), mail()], relay: SMALL });
  await rig.create({ destinations: [CRM, MAIL] });
  await rig.sync(BEFORE);
  const [from, reported] = [rig.messages().length, rig.events.length];

  remaining = at;
  const report = await rig.settle(rig.relay().syncAudience("vip", AFTER), FAILURE_MS);
  const hasFailed = remaining <= 0;
  remaining = Infinity;
  // A corrupt store is not asked again by the same process.
  if (code === "corrupt") rig.crash();
  await (code === "corrupt" ? recover(rig) : complete(rig));
  // Tells nothing, and removes a set that could not be removed before.
  await rig.sync(AFTER);
  await expectToldOnce(rig, from);
  if (!hasFailed) return undefined;
  expect(rig.events.slice(reported)).toContainEqual(expect.objectContaining({ kind: "store-fault", code }));
  return report.match(
    () => "ok",
    (fault) => fault.code,
  );
}

type Told = "ok" | SyncFault["code"];

/** Returns the host's answer from a relay that was stopped at request number `at`; undefined if it made fewer requests. */
async function playStop(at: number): Promise<Told | undefined> {
  let remaining = Infinity;
  let stopping: Promise<unknown> | undefined;
  const onAsk = (what: string): void => {
    if (OF_SYNCS.has(what)) remaining -= 1;
    if (remaining === 0) stopping ??= rig.relay().stop();
  };
  const rig = createAudienceRig({ onAsk, destinations: [crm(), mail()], relay: SMALL });
  await rig.create({ destinations: [CRM, MAIL] });
  await rig.sync(BEFORE);
  const from = rig.messages().length;

  remaining = at;
  const report = await rig.settle(rig.relay().syncAudience("vip", AFTER), 5_000);
  if (stopping === undefined) return undefined;
  await stopping;
  // A stopped process has released its work: the next one need not wait for the end of a lease.
  rig.restart();
  await rig.clock.advance(5_000);
  expect((await rig.record()).running).toBeNull();
  await rig.sync(AFTER);
  await rig.clock.advance(5_000);
  await expectToldOnce(rig, from);
  return report.match(
    () => "ok",
    ({ code }) => code,
  );
}

/** Enough for each try of a commit. */
const FAILURE_MS = 15_000;

/** Plays at each request of the sync; returns the host's answers. */
async function atEach(play: (at: number) => Promise<Told | undefined>): Promise<readonly Told[]> {
  const allReports = new Set<Told>();
  for (let at = 1; at < 1_000; at += 1) {
    const report = await play(at);
    if (report === undefined) return [...allReports].toSorted();
    allReports.add(report);
  }
  throw new Error("a sync asks without end");
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

describe("a sync whose store fails", () => {
  it.each<readonly [Omit<Failure, "at">, readonly Told[]]>([
    [{ code: "unavailable", times: 1 }, ["ok", "unavailable"]],
    [{ code: "full", times: 1 }, ["ok", "unavailable"]],
    [{ code: "corrupt", times: 1 }, ["corrupt", "ok"]],
    [{ code: "unavailable", times: 25 }, ["ok", "unavailable"]],
    [{ code: "busy", times: 25 }, ["ok", "unavailable"]],
  ])("with %o, at any request, says so or goes on, and is completed later", async (failure, answers) => {
    expect(await atEach((at) => playFailure({ at, ...failure }))).toEqual(answers);
  });
});

describe("a sync whose relay is stopped", () => {
  it("at any of its requests says so or is done, and the next process continues it at once", async () => {
    expect(await atEach(playStop)).toEqual(["ok", "stopped"]);
  });
});
