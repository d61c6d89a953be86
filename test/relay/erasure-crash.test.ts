// A deletion whose process dies at any write to its stores, before the write takes effect or before its answer arrives, or
// whose stores fail or whose relay is stopped at any request, during a sync of one audience, an upload to a second, and while a
// range that a destination knows of a third ends at a deleted user. In the end the user is in no set, record or message,
// the deletion is finished, and receivers have its notices.

import type { AudienceStore, DeliveryStore, StoreErrorCode } from "@postrider/core";
import { erasedUpTo } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AudienceRig,
  type AudienceRigOptions,
  CRM,
  createAudienceRig,
  createGate,
  crm,
  MAIL,
  mail,
  recordsIn,
  SILENCE_MS,
} from "./audience-rig.js";
import { storeError } from "./rig.js";
import "../property.js";

const BEFORE = Array.from("abcdefghijkl");
const AFTER = Array.from("bcefghijmnop");
/** The gate's upload names a and b; c and h stay in the list that is being sent, a and k leave it, o is new. */
const DELETED = ["a", "b", "c", "h", "k", "o"];
const SMALL = { chunkMembers: 3, runChunks: 2, appendMembers: 3, mergeRuns: 2, stepChanges: 2, laneDeliveries: 3 };

const WRITES: ReadonlySet<string> = new Set("open purge finish put append drop erase scrub commit".split(" "));
const READS: ReadonlySet<string> = new Set("list find sets read".split(" "));
/** Enough virtual time for all steps of a deletion, and for resuming unfinished work. */
const DELETION_MS = 45_000;
const LOOK_EVERY_MS = 250;

interface Death {
  /** The number of the write, counted from the start of the deletion or from the last restart. */
  readonly at: number;
  /** True if that write took effect. */
  readonly isDone: boolean;
}

interface Fate {
  readonly rig: AudienceRigOptions;
  arm(rig: AudienceRig): void;
  disarm(): void;
  /** Restarts the process where it has died. */
  revive(rig: AudienceRig): void;
  /** The number of deaths that have happened. */
  deaths(): number;
}

function createFate(plan: readonly Death[]): Fate {
  let remaining = Infinity;
  let deaths = 0;
  let isDead = false;
  let kill = (): void => undefined;

  /** Counts a write before it takes effect; the process may die there, or once it has taken effect. */
  const count = (what: string, isDone: boolean): void => {
    if (isDead || !WRITES.has(what)) return;
    if (!isDone) remaining -= 1;
    if (remaining > 0 || plan[deaths]?.isDone !== isDone) return;
    isDead = true;
    kill();
  };
  const next = (): void => {
    remaining = plan[deaths]?.at ?? Infinity;
  };
  return {
    rig: {
      onAsk: (what) => {
        count(what, false);
      },
      onAsked: (what) => {
        count(what, true);
      },
    },
    arm: (rig): void => {
      kill = rig.crash;
      next();
    },
    disarm: (): void => {
      remaining = Infinity;
    },
    revive: (rig): void => {
      if (!isDead) return;
      isDead = false;
      deaths += 1;
      rig.restart();
      next();
    },
    deaths: () => deaths,
  };
}

interface Failure {
  /** The number of the request, counted from the start of the deletion. */
  readonly at: number;
  readonly code: StoreErrorCode;
  /** For how many requests in a row. */
  readonly times: number;
}

/** The process lives on; its stores fail for a while. */
function createFailingFate({ at, code, times }: Failure): Fate {
  let remaining = Infinity;
  let failures = 0;
  return {
    rig: {
      onAsk: (what) => {
        if (!WRITES.has(what) && !READS.has(what)) return;
        remaining -= 1;
        if (remaining > 0 || remaining <= -times) return;
        failures += 1;
        throw storeError(code);
      },
    },
    arm: (): void => {
      remaining = at;
    },
    disarm: (): void => {
      remaining = Infinity;
    },
    revive: (): void => undefined,
    deaths: () => failures,
  };
}

/** The relay is stopped when it asks for request number `at`, and another one is started. */
function createStoppingFate(at: number): Fate {
  let remaining = Infinity;
  let stops = 0;
  let isStopped = false;
  let stop = (): void => undefined;
  return {
    rig: {
      onAsk: (what) => {
        if (!WRITES.has(what) && !READS.has(what)) return;
        remaining -= 1;
        if (remaining !== 0) return;
        isStopped = true;
        stop();
      },
    },
    arm: (rig): void => {
      remaining = at;
      stop = () => void rig.relay().stop();
    },
    disarm: (): void => {
      remaining = Infinity;
    },
    revive: (rig): void => {
      if (!isStopped) return;
      isStopped = false;
      stops += 1;
      rig.restart();
    },
    deaths: () => stops,
  };
}

/** Lets time pass, and restarts a process that dies meanwhile. */
async function pass(rig: AudienceRig, fate: Fate, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += LOOK_EVERY_MS) {
    await rig.clock.advance(LOOK_EVERY_MS);
    fate.revive(rig);
  }
}

/**
 * Three audiences: a sync of `vip` is being sent, `news` receives an upload, `old` is known to a destination up to user h.
 */
async function begin(rig: AudienceRig) {
  for (const name of ["Old", "VIP", "News"]) await rig.create({ name, destinations: [CRM, MAIL] });
  rig.configure(crm(), mail({ paused: true }));
  void rig.relay().syncAudience("old", ["a", "e", "g", "h", "i"]);
  await rig.clock.advance(1_000);
  rig.configure(crm(), mail({ enabled: false }));
  await rig.clock.advance(1_000);
  rig.configure(crm(), mail());
  await rig.clock.advance(1_000);
  await rig.sync(BEFORE);
  rig.configure(crm({ paused: true }), mail());
  void rig.relay().syncAudience("vip", AFTER);
  const gate = createGate();
  void rig.relay().syncAudience("news", gate.members);
  await rig.clock.advance(2_000);
  return gate;
}

/** As a host does: it asks again if no answer came. */
async function requestDeletion(rig: AudienceRig, fate: Fate): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    let isAnswered: boolean | undefined;
    void rig
      .relay()
      .requestDeletion({ userIds: DELETED, regulation: "delete-only" })
      .map(() => (isAnswered = true));
    await pass(rig, fate, LOOK_EVERY_MS);
    if (isAnswered === true) return;
  }
  throw new Error("no request is answered");
}

/** Answers how many of the deaths, or of the failures, happened. */
async function live(fate: Fate): Promise<number> {
  /** The progress of the erasure in each audience at the time when notices were about to be stored. */
  const notified: (readonly number[])[] = [];
  const wrapDeliveries = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: async (changes, now) => {
      if (changes.accept.some(({ type }) => type === "delete"))
        notified.push((await recordsIn(rig.audiences)).map(erasedUpTo));
      return store.commit(changes, now);
    },
  });
  const options = { destinations: [crm(), mail()], relay: { syncBounds: SMALL }, wrapDeliveries };
  const rig = createAudienceRig({ ...fate.rig, ...options });
  const gate = await begin(rig);
  await expectUnderWay(rig);
  fate.arm(rig);
  await requestDeletion(rig, fate);
  await pass(rig, fate, 7_000);
  gate.open();
  await pass(rig, fate, 3_000);
  rig.configure(crm(), mail());
  await pass(rig, fate, DELETION_MS);
  fate.disarm();
  await rig.clock.advance(2 * SILENCE_MS);
  await expectErased(rig);
  await expectNotTold(rig);
  expectToldOnce(rig);
  expect(notified.every((numbers) => numbers.every((number) => number >= 1))).toBe(true);
  return fate.deaths();
}

async function endures(failure: Failure): Promise<boolean> {
  return (await live(createFailingFate(failure))) > 0;
}

/** Otherwise the test would show nothing. */
async function expectUnderWay(rig: AudienceRig): Promise<void> {
  expect((await rig.record("vip")).running).toMatchObject({ kind: "sending", left: [CRM] });
  expect((await rig.record("news")).running?.kind).toBe("collecting");
  expect((await rig.record("old")).told.flatMap(({ parts }) => parts.map(({ upTo }) => upTo))).toContain("h");
}

async function expectErased(rig: AudienceRig): Promise<void> {
  const storedText = await everything(rig.audiences);
  expect(DELETED.filter((userId) => storedText.includes(`"${userId}"`))).toEqual([]);
  const { deletions = [] } = (await rig.deliveries.deletions?.list({ limit: 10 })) ?? {};
  expect(deletions.length).toBeGreaterThan(0);
  expect(deletions.filter(({ finishedAt }) => finishedAt === undefined)).toEqual([]);
  const heard = rig.messages().filter(({ type }) => type === "delete");
  const notices = new Set(heard.map(({ destination, userId }) => `${destination} ${userId}`));
  const expected = [CRM, MAIL].flatMap((to) => DELETED.map((userId) => `${to} ${userId}`));
  expect(expected.filter((one) => !notices.has(one))).toEqual([]);
}

/** A repeated step is reported only when it is done. */
function expectToldOnce({ events }: AudienceRig): void {
  const lines = events.flatMap((event) =>
    event.kind === "purged" || event.kind === "deletion-finished" ? [`${event.kind} ${event.deletion}`] : [],
  );
  expect(lines).toEqual([...new Set(lines)]);
}

/** By the order in which messages were stored: none names the user after the delete message; nor does a later sync. */
async function expectNotTold(rig: AudienceRig): Promise<void> {
  rig.heard();
  await rig.sync(BEFORE.filter((userId) => !DELETED.includes(userId)));
  await rig.sync(["n"], { key: "news" });
  await rig.sync(["n"], { key: "old" });
  await rig.clock.advance(2_000);
  const later = rig.heard().filter((line) => DELETED.includes(line.split(" ")[1] ?? ""));
  expect(later).toEqual([]);
  expect((await storedLines(rig)).filter((line, at, all) => isNamedBehind(line, all.slice(0, at)))).toEqual([]);
}

function isNamedBehind(line: string, before: readonly string[]): boolean {
  const [to, userId, type] = line.split(" ");
  return type !== "delete" && before.includes(`${String(to)} ${String(userId)} delete`);
}

/** `crm a delete`, the oldest first, of all messages whose body is still there. */
async function storedLines(rig: AudienceRig): Promise<readonly string[]> {
  const { deliveries } = await rig.deliveries.list({ limit: 10_000 });
  const records = await Promise.all(deliveries.map(({ id }) => rig.deliveries.find(id)));
  return records.toReversed().flatMap((delivery) => {
    if (delivery?.body === undefined) return [];
    const { type, userId } = JSON.parse(new TextDecoder().decode(delivery.body)) as { type: string; userId: string };
    return [`${delivery.destination} ${userId} ${type}`];
  });
}

async function everything(store: AudienceStore): Promise<string> {
  const sets = await store.sets("");
  const members = await Promise.all(sets.map((set) => store.read(set)));
  return JSON.stringify([await recordsIn(store), members]);
}

/** Answers in how many runs the process died. */
async function dieAtEach(isDone: boolean): Promise<number> {
  for (let at = 1; at < 1_000; at += 1) if ((await live(createFate([{ at, isDone }]))) === 0) return at - 1;
  throw new Error("a deletion writes without end");
}

describe("a deletion whose process dies", () => {
  it("before any of its writes takes effect removes the user from all audiences", async () => {
    expect(await dieAtEach(false)).toBeGreaterThan(40);
  });

  it("before the answer to any of its writes removes the user from all audiences", async () => {
    expect(await dieAtEach(true)).toBeGreaterThan(40);
  });

  it("several times, at any write, removes the user from all audiences", async () => {
    const death = fc.record({ at: fc.integer({ min: 1, max: 30 }), isDone: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(death, { minLength: 2, maxLength: 5 }), async (plan) => {
        expect(await live(createFate(plan))).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});

/** Failures of each kind, in turn. */
const FAILURES: readonly Omit<Failure, "at">[] = [
  { code: "full", times: 1 },
  { code: "busy", times: 8 },
  { code: "unavailable", times: 4 },
];

describe("a deletion whose stores fail", () => {
  it("at any request removes the user from all audiences", async () => {
    let at = 1;
    while (await endures({ at, code: "unavailable", times: 1 })) at += 1;
    expect(at).toBeGreaterThan(100);
  });

  it("for several requests, or are full, removes the user from all audiences", async () => {
    const kinds = FAILURES.length;
    let at = 1;
    while (await endures({ at, ...(FAILURES[at % kinds] as Omit<Failure, "at">) })) at += 1;
    expect(at).toBeGreaterThan(100);
  });
});

describe("a deletion whose relay is stopped", () => {
  it("at any request is carried out by the next one", async () => {
    let at = 1;
    while ((await live(createStoppingFate(at))) > 0) at += 1;
    expect(at).toBeGreaterThan(100);
  });
});
