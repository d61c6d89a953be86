// A client at its limits: the bytes and the callers of its queue, its iterators.

import type { CallOutcome } from "@postrider/client";
import { describe, expect, it } from "vitest";
import { MAX_OUTCOME_ITERATORS } from "../../packages/client/src/limits.js";
import { answer, createRig } from "./rig.js";

describe("the bytes of a queue", () => {
  const full = { maxQueued: { bytes: 40_000 }, flushAt: 100 };
  const call = { properties: { text: "x".repeat(1_000) } };

  it("are given back by the calls that end, delivered or failed", async () => {
    for (const status of [200, 400]) {
      const { client, track } = createRig(() => answer(status), full);
      const taken = () => track(100, call).filter((id) => id !== "").length;
      const most = taken();
      expect(most).toBeLessThan(40);
      for (let round = 0; round < 3; round += 1) {
        await client.flush();
        expect(taken()).toBe(most);
      }
    }
  });

  it("let as many callers continue as may find room, once a call has ended", async () => {
    const { client, track, clock } = createRig((_, index) => (index === 0 ? answer(200) : "silent"), {
      maxQueued: { bytes: 80_000 },
      flushAt: 1,
      maxInFlight: 1,
      whenFull: "wait",
    });
    track(2, { properties: { text: "x".repeat(30_000) } });
    let ready = 0;
    for (let index = 0; index < 5; index += 1) void client.ready().then(() => (ready += 1));
    expect(ready).toBe(0);
    await clock.settle();
    // 30 KB of 80 KB are in use, and a call may have 32 KB.
    expect(ready).toBe(2);
  });
});

describe("outcomes", () => {
  it("go to a hundred iterators at once; a further one ends at once, until another has left", async () => {
    const { client, track } = createRig();
    const iterators = Array.from({ length: MAX_OUTCOME_ITERATORS }, () => client.outcomes());
    expect(await client.outcomes().next()).toEqual({ done: true, value: undefined });
    await iterators[0]?.return?.();
    const late = client.outcomes();
    const [messageId] = track(1);
    await client.flush();
    const seen: (IteratorResult<CallOutcome> | undefined)[] = [];
    for (const iterator of [late, iterators.at(-1)]) seen.push(await iterator?.next());
    expect(seen).toMatchObject([{ value: { messageId } }, { value: { messageId } }]);
  });

  it("may be of no interest to the host", async () => {
    const { client, track, log } = createRig((_, index) => answer(index === 0 ? 400 : 200), {
      onDelivered: undefined,
      onFailed: undefined,
    });
    track(1);
    expect(await client.flush()).toMatchObject({ failed: 1 });
    track(1);
    expect(await client.flush()).toMatchObject({ delivered: 1 });
    expect(log.map(({ code }) => code)).not.toContain("callback-failed");
  });
});
