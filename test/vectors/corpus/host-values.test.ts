// Plays the values that only a host in the same process can hand in: straight into the relay, as such a host would.

import type { Receipt } from "@postrider/core";
import type { SimulatedHost } from "@postrider/simulator/simulated-host";
import { describe, expect, it } from "vitest";
import { CANARY, type HostCase, readCorpus } from "./corpus.js";
import { expectFields } from "./expect-fields.js";
import { HOST_VALUES, makeHostValue } from "./host-values.js";
import { valueOf } from "./parts.js";
import { openWorld, soundDeliveries, WEBSITE } from "./world.js";

const { cases } = readCorpus<HostCase>("host-values");
/** The most CPU time that reading a call may use, for any value of a host. */
const MAX_LOOK_CPU_MS = 5_000;

describe("the corpus: host-values", () => {
  it("names every value that is made here", () => {
    expect([...new Set(cases.map(({ value }) => value))].toSorted()).toEqual(Object.keys(HOST_VALUES).toSorted());
  });

  it.each(cases)("$name", async ({ value, at, expect: verdict }) => {
    const world = openWorld();
    const call = place(makeHostValue(value), at);
    const before = process.cpuUsage();
    const asked = accept(world, call);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MAX_LOOK_CPU_MS);
    if (value.includes("changed after the call")) change(call);

    const receipt = await asked;
    const messages = await soundDeliveries(world);
    if (verdict.verdict === "refused") {
      expect(receipt).toMatchObject({ kind: "refused", refusal: { code: verdict.code, path: valueOf(verdict.path) } });
      expect(JSON.stringify(receipt)).not.toContain(CANARY);
      expect(messages).toHaveLength(0);
    } else {
      expect(receipt).toMatchObject({ kind: "accepted" });
      expect(messages).toHaveLength(1);
      expectFields(messages[0]!, verdict);
    }
  });
});

async function accept(world: SimulatedHost, call: unknown): Promise<Receipt | undefined> {
  const receipts = await world.relay().accept({ source: WEBSITE, calls: [call] });
  return receipts._unsafeUnwrap()[0];
}

/** A track call with the value where the case says, or the value as the call. */
function place(value: unknown, at: string): unknown {
  const call = { type: "track", userId: "u1", event: "e" };
  if (at === "call") return value;
  if (at !== "properties.x") return { ...call, [at]: value };
  // A value that throws when it is read cannot be copied, so its getter is moved to the call.
  const getter = typeof value === "object" && value !== null ? ownGetter(value) : undefined;
  const properties = getter === undefined ? { x: value } : Object.defineProperty({}, "x", getter);
  return { ...call, properties };
}

function ownGetter(value: object): PropertyDescriptor | undefined {
  try {
    const descriptor = Object.getOwnPropertyDescriptor(value, "x");
    return descriptor?.get === undefined ? undefined : descriptor;
  } catch {
    return undefined;
  }
}

function change(call: unknown): void {
  const { properties } = Object.assign(call as { userId: string; properties?: { a: unknown } }, { userId: "changed" });
  if (properties !== undefined) properties.a = { changed: true };
}
