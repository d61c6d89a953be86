// What a failed case says: which fields differ, by path, in few lines; short values whole.

import type { DeliveryStore } from "@postrider/core";
import { createManualClock, createMemoryAudienceStore, createMemoryStore } from "@postrider/memory";
import { createSystemClock } from "@postrider/system";
import {
  audienceStoreContract,
  type ContractCase,
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
  httpContract,
  type HttpSupport,
  isHarnessError,
} from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { expectEqual } from "../../../packages/testkit/src/contracts/check.js";

const COUNTS = { accepted: 4, claimed: 0, dead: 0, delivered: 0, duplicates: 0, filtered: 0, received: 4, waiting: 4 };
const IDS = Array.from({ length: 40 }, (_, index) => `message-${String(index)}`);

describe("a failure", () => {
  it.each<readonly [what: string, expected: unknown, seen: unknown, message: string]>([
    ["shows short values whole", "stored", "duplicate", '\n  expected: "stored"\n  but saw:  "duplicate"'],
    ["shows an absent value as nothing", "stored", undefined, '\n  expected: "stored"\n  but saw:  nothing'],
    [
      "names the fields that differ",
      COUNTS,
      { ...COUNTS, claimed: 3, waiting: -3 },
      "\n  .claimed: expected 0, but saw 3\n  .waiting: expected 4, but saw -3",
    ],
    [
      "names the place in a list of records",
      [COUNTS, COUNTS],
      [COUNTS, { ...COUNTS, dead: 1 }],
      "\n  [1].dead: expected 0, but saw 1",
    ],
    [
      "names what a list lacks, and what it has more, not each place that moved",
      IDS,
      IDS.map((id) => (id === "message-7" ? "message-8" : id)),
      '\n  missing: "message-7"\n  not expected: "message-8"',
    ],
    [
      "says that only the order differs",
      IDS,
      IDS.toReversed(),
      '\n  the same in another order: at 0 expected "message-0", but saw "message-39"',
    ],
    [
      "says how many a list has",
      { ids: IDS },
      { ids: IDS.slice(1) },
      '\n  .ids: expected 40, but saw 39\n  .ids: missing: "message-0"',
    ],
    [
      "shows a long text from where it differs",
      `${"x".repeat(99)}a`,
      `${"x".repeat(99)}b`,
      '\n  after 99 equal characters expected "a" (100 in all), but saw "b" (100 in all)',
    ],
    [
      "shows bytes in hex from where they differ",
      new Uint8Array(60),
      new Uint8Array(61).fill(1, 50),
      `\n  after 50 equal bytes expected ${"00".repeat(10)} (60 in all), but saw ${"01".repeat(11)} (61 in all)`,
    ],
  ])("%s", (_what, expected, seen, message) => {
    expect(() => {
      expectEqual(seen, expected, "the value");
    }).toThrow(new Error(`the value${message}`));
  });

  it("has at most ten lines, however much differs", () => {
    const [one, other] = [0, 1].map((n) => Object.fromEntries(IDS.map((id) => [id, { n }])));
    const lines = messageOf(() => {
      expectEqual(one, other, "the value");
    }).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([10, "  and 32 more differences"]);
  });

  it("is none for bytes of another class, and for a field that is undefined", () => {
    expectEqual({ body: Buffer.from("a"), detail: undefined }, { body: new Uint8Array([97]) }, "the value");
  });
});

describe("`only`", () => {
  const harness = {
    open: () => Promise.resolve(createMemoryStore()),
    now: () => 0,
    advance: () => Promise.resolve(),
    supports: { restart: true, sharing: true, days: true },
  } as unknown as DeliveryStoreHarness;

  it("leaves the cases whose name it matches, which run alone", async () => {
    const cases = deliveryStoreContract(harness, { only: /^an empty commit/g });
    expect(cases.map(({ name }) => name)).toEqual(["an empty commit answers with empty lists"]);
    await cases[0]?.run();
  });

  it("refuses a name that no case has", () => {
    expect(() => deliveryStoreContract(harness, { only: /misspelt/ })).toThrow(/no case has a name that \/misspelt\//);
  });
});

describe("a harness that lacks what `supports` claims", () => {
  const supports = { restart: true, sharing: true, days: true } as const;
  const clock = createManualClock();
  const harness: DeliveryStoreHarness = {
    open: () => Promise.resolve(methodsOf(createMemoryStore())),
    ...{ now: () => clock.wall(), advance: (ms) => clock.advance(ms), supports },
  };

  it.each([
    ["full", "harness", "openCramped"],
    ["clock", "harness", "openWithClock"],
    ["interleaving", "harness", "openGated"],
    ["faults", "harness", "openGated"],
    ["damage", "harness", "openDamaged"],
    ["deletions", "store", "deletions"],
    ["records", "store", "records"],
    ["laneChanges", "store", "laneChanges"],
    ["board", "store", "board"],
  ])("fails each case of `%s` for want of it, and says that the %s has no `%s`", async (part, owner, member) => {
    const without = deliveryStoreContract(harness);
    const all = deliveryStoreContract({ ...harness, supports: { ...supports, [part]: true } });
    const cases = all.filter(({ skipped }, index) => skipped === undefined && without[index]?.skipped !== undefined);
    expect(cases).not.toEqual([]);
    const reason = `\`supports.${part}\` is true, but the ${owner} has no \`${member}\``;
    for (const one of cases) expect(await harnessErrorOf(one)).toBe(reason);
  });

  it("fails the cases of calls at the same time, if it says that they pass a gate", async () => {
    const gated = { ...harness, supports: { ...supports, interleaving: true } } as const;
    const [one] = deliveryStoreContract(gated, { only: /^two claims at the same time/ });
    expect(await harnessErrorOf(one)).toBe("`supports.interleaving` is true, but the harness has no `openGated`");
  });

  it("fails the cases against the model", async () => {
    const users = { ...harness, supports: { ...supports, deletions: true } } as const;
    const [, one] = deliveryStoreModelContract(() => users);
    expect(await harnessErrorOf(one)).toBe("`supports.deletions` is true, but the store has no `deletions`");
  });

  it("fails the cases of a store of audiences", async () => {
    const open = () => Promise.resolve(createMemoryAudienceStore());
    const roomy = { open, supports: { restart: true, sharing: true, full: true } } as const;
    const [one] = audienceStoreContract(roomy, { only: /^an append that does not fit/ });
    expect(await harnessErrorOf(one)).toBe("`supports.full` is true, but the harness has no `openCramped`");
  });

  it("fails the cases of an HTTP adapter", async () => {
    const closing = { close: true } as HttpSupport;
    const create = () => ({ send: () => Promise.reject(new Error("not to be sent")) });
    const cases = httpContract({ create, clock: createSystemClock, supports: closing });
    const one = cases.find(({ name }) => name.startsWith("leaves no connection when closed"));
    expect(await harnessErrorOf(one)).toBe("`supports.close` is true, but the adapter has no `close`");
  });
});

/** A store without any part. */
function methodsOf(store: DeliveryStore): DeliveryStore {
  const methods = Object.entries(store).filter(([, member]) => typeof member === "function");
  return Object.fromEntries(methods) as unknown as DeliveryStore;
}

/** The message of the error of a case that cannot run. */
async function harnessErrorOf(one: ContractCase | undefined): Promise<string | undefined> {
  const error: unknown = await one?.run().catch((reason: unknown) => reason);
  return isHarnessError(error) ? error.message : undefined;
}

function messageOf(play: () => void): string {
  try {
    play();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
