import type { CallStorage, KeptCallPageRequest } from "@postrider/client/durable";
import { createMemoryCallStorage } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_UNWRITTEN_DROPS } from "../../../packages/client/src/limits.js";
import { answer } from "../rig.js";
import { callsLeft, createDisk, loadAll, start } from "./rig.js";

/** Takes the batch, and rejects each of its calls by its index. */
function rejecting(): Response {
  const rejected = Array.from({ length: 20 }, (_, index) => ({ index, code: "no-event", message: "" }));
  return answer(200, { rejected });
}

describe("a client on a storage", () => {
  it("stores each call until it is delivered", async () => {
    const disk = createDisk();
    const { client, clock, track, received } = start(disk);
    const ids = track(3);
    await clock.settle();
    expect(await disk.names()).toEqual(ids);
    expect(disk.changes).toBe(1);
    expect(await client.flush()).toEqual({ delivered: 3, failed: 0, pending: 0 });
    expect(received).toEqual(ids);
    expect(await disk.names()).toEqual([]);
  });

  it("makes the calls again that a crash has left, unchanged", async () => {
    const disk = createDisk();
    const crashed = start(disk, () => new Promise(() => undefined));
    const ids = crashed.track(25);
    await crashed.clock.settle();
    const kept = await loadAll(disk);

    const next = start(disk);
    await next.clock.settle();
    expect((await loadAll(disk)).map(({ json }) => JSON.parse(json))).toEqual(
      kept.slice(20).map(({ json }) => JSON.parse(json)),
    );
    await next.client.close();
    expect(next.received).toEqual(ids);
    expect(await disk.names()).toEqual([]);
  });

  it("keeps the calls that were left at close, and those whose batch is refused", async () => {
    const disk = createDisk();
    const away = start(disk, () => answer(503));
    const ids = away.track(2);
    const closing = away.client.close();
    await away.clock.advance(60_000);
    expect((await closing).undelivered).toHaveLength(2);
    expect(await disk.names()).toEqual(ids);

    const refused = start(disk, () => answer(400));
    const flushed = refused.client.flush();
    await refused.clock.advance(10_000);
    expect(await flushed).toEqual({ delivered: 0, failed: 0, pending: 2 });
    expect(await disk.names()).toEqual(ids);
  });

  it("tells its host of each end, if the host wants to know", async () => {
    const seen: string[] = [];
    const options = {
      onDelivered: ({ messageId }: { readonly messageId: string }) => void seen.push(`delivered ${messageId}`),
      onFailed: ({ messageId }: { readonly messageId: string }) => void seen.push(`failed ${messageId}`),
    };
    for (const end of ["delivered", "failed"]) {
      const react = (): Response => (end === "delivered" ? answer(200) : rejecting());
      const told = start(createDisk(), react, options);
      const [id = ""] = told.track(1);
      await told.client.flush();
      expect(seen.at(-1)).toBe(`${end} ${id}`);

      const untold = start(createDisk(), react);
      untold.track(1);
      await untold.client.flush();
      expect(untold.log).not.toContainEqual({ code: "callback-failed" });
    }
  });

  it("counts the calls that failed in a flush, those of an earlier process included", async () => {
    const disk = createDisk();
    const away = start(disk, () => answer(503));
    away.track(3);
    const closing = away.client.close();
    await away.clock.advance(60_000);
    await closing;

    const next = start(disk, rejecting);
    next.track(2);
    expect(await next.client.flush()).toEqual({ delivered: 0, failed: 5, pending: 0 });
  });

  it("forgets ends that it could not write once they are too many, and sends these calls again, but forgets no call that has not ended", async () => {
    for (const more of [0, 1]) {
      const disk = createDisk(100_000);
      let isUp = (): void => undefined;
      const up = new Promise<void>((resolve) => (isUp = resolve));
      const options = { flushAt: 2_000, maxQueued: { calls: 60_000 } };
      const { client, clock, track } = start(disk, () => up.then(() => answer(200)), options);
      const ended = track(MAX_UNWRITTEN_DROPS);
      await clock.settle();
      expect(await disk.names()).toHaveLength(ended.length);
      disk.isBroken = true;
      isUp();
      await client.flush();
      const open = track(more);
      expect(await client.kept()).toBe(false);
      disk.isBroken = false;
      expect(await client.kept()).toBe(true);
      await clock.settle();
      expect(await disk.names()).toEqual(open);
      expect(client.backlog().calls).toBe(more);
    }
  });

  it("continues in memory if its storage fails, and reports that", async () => {
    const disk = createDisk();
    disk.isBroken = true;
    const { client, track, received, log } = start(disk);
    const ids = track(2);
    await client.close();
    expect(received).toEqual(ids);
    expect(log).toContainEqual({ code: "storage-failed", calls: 2 });
    expect(JSON.stringify(log)).not.toContain("CANARY");
  });

  it("reports when calls are stored, and writes those that its storage failed to write with the next change", async () => {
    const disk = createDisk();
    const { client, track } = start(disk, () => new Promise(() => undefined));
    expect(await client.kept()).toBe(true);
    disk.isBroken = true;
    const ids = [...track(3)];
    expect(await client.kept()).toBe(false);
    ids.push(...track(1));
    expect(await client.kept()).toBe(false);
    disk.isBroken = false;
    expect(await disk.names()).toEqual([]);
    ids.push(...track(1));
    expect(await client.kept()).toBe(true);
    expect(await disk.names()).toEqual(ids);
    expect(await client.kept()).toBe(true);
  });

  it("refuses calls beyond the bound of its storage, until others have ended", async () => {
    const disk = createDisk(2);
    let isAway = true;
    const { client, clock, track } = start(disk, () => (isAway ? answer(503) : answer(200)));
    const ids = track(2);
    expect(client.track({ userId: "u1", event: "e" })).toMatchObject({ kind: "refused", code: "queue-full" });
    expect(await client.kept()).toBe(true);
    expect(client.track({ userId: "u1", event: "e" })).toMatchObject({ kind: "refused", code: "queue-full" });
    expect(await disk.names()).toEqual(ids);
    isAway = false;
    await clock.advance(60_000);
    expect(client.backlog()).toEqual({ calls: 0, inMemory: 0, setAside: 0 });
    track(2);
    await clock.advance(10_000);
    expect(await disk.names()).toEqual([]);
  });

  it("sends calls that come into its storage by other means, until it is closed", async () => {
    const disk = createDisk();
    let tell = (): void => undefined;
    const shared: CallStorage = {
      ...disk,
      watch: (listener) => {
        tell = listener;
      },
    };
    const { client, clock, received, track } = start(shared);
    const made = track(20);
    await clock.advance(5_000);
    await disk.change({ keep: callsLeft(2), drop: [] });
    tell();
    await clock.advance(5_000);
    expect(received).toEqual([...made, "m0", "m1"]);
    expect(await disk.names()).toEqual([]);
    await client.close();
    await disk.change({ keep: callsLeft(1), drop: [] });
    tell();
    await clock.advance(5_000);
    expect(await disk.names()).toEqual(["m0"]);
  });

  it("throws on a number of retries, which it does not have", () => {
    expect(() => start(createDisk(), () => answer(200), { maxRetries: 3 } as object)).toThrow(/maxRetries/);
  });

  it("does not store a call that has ended before it could be written", async () => {
    const works = createMemoryCallStorage();
    const failures: ((error: Error) => void)[] = [];
    const change: CallStorage["change"] = (changed) =>
      failures.length > 0 ? works.change(changed) : new Promise((_, reject) => failures.push(reject));
    const { client, clock, track } = start({
      ...createDisk(),
      load: (request: KeptCallPageRequest) => works.load(request),
      change,
    });
    track(20);
    await clock.settle();
    failures[0]?.(new Error("busy"));
    expect(await client.kept()).toBe(true);
    expect(await loadAll(works)).toEqual([]);
  });

  it("loses no stored call, however often it crashes", async () => {
    const lives = fc.array(fc.record({ calls: fc.nat(30), taken: fc.nat(3) }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lives, async (plan) => {
        const disk = createDisk();
        const kept: string[] = [];
        const received: string[] = [];
        for (const { calls, taken } of plan) {
          let left = taken;
          const life = start(disk, () => {
            left -= 1;
            return left < 0 ? new Promise<Response>(() => undefined) : answer(200);
          });
          kept.push(...life.track(calls));
          await life.clock.advance(5_000);
          received.push(...life.received);
        }
        const last = start(disk);
        await last.client.close();
        expect(new Set([...received, ...last.received])).toEqual(new Set(kept));
        expect(await disk.names()).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
