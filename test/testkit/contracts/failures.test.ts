// What a failed case says: which fields differ, by path, in few lines; short values whole.

import { createMemoryStore } from "@postrider/memory";
import { deliveryStoreContract, type DeliveryStoreHarness } from "@postrider/testkit/contracts";
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

function messageOf(play: () => void): string {
  try {
    play();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
