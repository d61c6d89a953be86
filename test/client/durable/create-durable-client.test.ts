import {
  createDurableClient,
  type CallStorage,
  type DurableClientOptions,
  type KeptCall,
} from "@postrider/client/durable";
import { createManualClock, createMemoryCallStorage, type ManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { answer, ENDPOINT } from "../world.js";

/** What survives a crash, and how many changes were made. */
interface Disk extends CallStorage {
  readonly names: () => Promise<readonly string[]>;
  changes: number;
  isBroken: boolean;
}

function createDisk(maxCalls = 1_000): Disk {
  const works = createMemoryCallStorage({ maxCalls });
  const disk: Disk = {
    names: async () => (await works.load()).map(({ messageId }) => messageId),
    changes: 0,
    isBroken: false,
    load: () => works.load(),
    change: (change) => {
      if (disk.isBroken) throw new Error("CANARY");
      disk.changes += 1;
      return works.change(change);
    },
  };
  return disk;
}

type Options = Partial<DurableClientOptions>;

function start(
  disk: CallStorage,
  react: (clock: ManualClock) => Response | Promise<Response> = () => answer(200),
  options: Options = {},
) {
  const clock = createManualClock();
  const received: string[] = [];
  const log: unknown[] = [];
  const transport = async (_: string, { body }: { readonly body: string }) => {
    const response = await react(clock);
    const { batch } = JSON.parse(body) as { batch: readonly { messageId: string }[] };
    if (response.status === 200) received.push(...batch.map(({ messageId }) => messageId));
    return response;
  };
  const logger = { log: (_: unknown, entry: unknown) => void log.push(entry) };
  const client = createDurableClient(WRITE_KEY, {
    endpoint: ENDPOINT,
    storage: disk,
    clock,
    transport,
    logger,
    ...options,
  });
  const track = (count: number): readonly string[] =>
    Array.from({ length: count }, () => client.track({ userId: "u1", event: "e" })._unsafeUnwrap().messageId);
  return { client, clock, received, log, track };
}

function callOf(messageId: string, text = ""): string {
  return JSON.stringify({ messageId, userId: "u1", event: "e", properties: { text } });
}

/** What an earlier process may have left. */
function callsLeft(count: number): readonly KeptCall[] {
  return Array.from({ length: count }, (_, n) => ({ messageId: `m${n}`, type: "track", json: callOf(`m${n}`) }));
}

describe("a client on a storage", () => {
  it("keeps what is called until it is delivered", async () => {
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

  it("makes the calls anew that a crash has left, as they were", async () => {
    const disk = createDisk();
    const crashed = start(disk, () => new Promise(() => undefined));
    const ids = crashed.track(25);
    await crashed.clock.settle();
    const kept = await disk.load();

    const next = start(disk);
    await next.clock.settle();
    expect((await disk.load()).map(({ json }) => JSON.parse(json))).toEqual(
      kept.slice(20).map(({ json }) => JSON.parse(json)),
    );
    await next.client.close();
    expect(next.received).toEqual(ids);
    expect(await disk.names()).toEqual([]);
  });

  it("keeps what close has left, and drops what was refused", async () => {
    const disk = createDisk();
    const away = start(disk, () => answer(503));
    const ids = away.track(2);
    const closing = away.client.close();
    await away.clock.advance(60_000);
    expect((await closing).undelivered).toHaveLength(2);
    expect(await disk.names()).toEqual(ids);

    const refused = start(disk, () => answer(400));
    await refused.client.flush();
    expect(await disk.names()).toEqual([]);
  });

  it("goes on in memory when its storage fails, and says so", async () => {
    const disk = createDisk();
    disk.isBroken = true;
    const { client, track, received, log } = start(disk);
    const ids = track(2);
    await client.close();
    expect(received).toEqual(ids);
    expect(log).toContainEqual({ code: "storage-failed", calls: 2 });
    expect(JSON.stringify(log)).not.toContain("CANARY");
  });

  it("says when calls are kept, and writes with the next what its storage has failed to write", async () => {
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

  it("tries again, when asked, even if nothing else is called, and keeps what fits once there is room", async () => {
    const disk = createDisk(2);
    let isAway = true;
    const { client, clock, track } = start(disk, () => (isAway ? answer(503) : answer(200)));
    const ids = track(2);
    expect(await client.kept()).toBe(true);
    track(1);
    expect(await client.kept()).toBe(false);
    expect(await client.kept()).toBe(false);
    expect(await disk.names()).toEqual(ids);
    isAway = false;
    await clock.advance(60_000);
    expect(await client.kept()).toBe(true);
    expect(await disk.names()).toEqual([]);
  });

  it("does not keep what has ended while it could not be written", async () => {
    const works = createMemoryCallStorage();
    const failures: ((error: Error) => void)[] = [];
    const change: CallStorage["change"] = (changed) =>
      failures.length > 0 ? works.change(changed) : new Promise((_, reject) => failures.push(reject));
    const { client, clock, track } = start({ ...createDisk(), load: () => works.load(), change });
    track(20);
    await clock.settle();
    failures[0]?.(new Error("busy"));
    expect(await client.kept()).toBe(true);
    expect(await works.load()).toEqual([]);
  });

  it("leaves where it is what is not a call any more", async () => {
    const works = createMemoryCallStorage();
    const good = { messageId: "m2", type: "track", json: '{"messageId":"m2","userId":"u1","event":"e"}' } as const;
    await works.change({ keep: [{ ...good, messageId: "m1", json: "{" }, good], drop: [] });
    const disk = { ...createDisk(), load: () => works.load() };
    const { client, received, log } = start(disk);
    await client.flush();
    expect(received).toEqual(["m2"]);
    expect(log).toContainEqual({ code: "calls-left", calls: 1, detail: "unreadable" });
  });

  it.each(["wait", "refuse"] as const)("makes all that is left, as there is room for it: %s", async (whenFull) => {
    const storage = createMemoryCallStorage();
    await storage.change({ keep: callsLeft(100), drop: [] });
    const slow = (clock: ManualClock): Promise<Response> =>
      new Promise((resolve) => clock.after(100, () => resolve(answer(200))));
    const { client, clock, received, log } = start(storage, slow, { whenFull, maxQueued: { calls: 30 } });
    const flushed = client.flush();
    await clock.advance(60_000);
    expect(await flushed).toEqual({ delivered: 100, failed: 0, pending: 0 });
    expect(received).toEqual(callsLeft(100).map(({ messageId }) => messageId));
    expect(await storage.load()).toEqual([]);
    expect(log).not.toContainEqual(expect.objectContaining({ code: "calls-left" }));
  });

  it("waits with flush and close no longer than it is told to, whatever is left", async () => {
    const storage = createMemoryCallStorage();
    await storage.change({ keep: callsLeft(100), drop: [] });
    const options: Options = { whenFull: "wait", maxQueued: { calls: 30 }, closeTimeoutMs: 1_000 };
    const { client, clock } = start(storage, () => answer(503), options);
    const flushed = client.flush({ timeoutMs: 100 });
    await clock.advance(100);
    expect(await flushed).toEqual({ delivered: 0, failed: 0, pending: 30 });
    const closed = client.close();
    await clock.advance(1_000);
    expect((await closed).undelivered).toHaveLength(30);
    expect(await storage.load()).toHaveLength(100);
  });

  it("makes what is left, as far as there is room, before it is closed", async () => {
    const storage = createMemoryCallStorage();
    await storage.change({ keep: callsLeft(100), drop: [] });
    const away = start(storage, () => new Promise(() => undefined), {
      maxQueued: { calls: 30 },
      closeTimeoutMs: 1_000,
    });
    const closed = away.client.close();
    await away.clock.advance(1_000);
    expect((await closed).undelivered).toHaveLength(30);
    expect(away.log).toContainEqual({ code: "calls-left", calls: 70 });
    expect(await storage.load()).toHaveLength(100);
    const next = start(storage);
    await next.client.close();
    expect(next.received).toHaveLength(100);
    expect(await storage.load()).toEqual([]);
  });

  it("loses nothing that was kept, however often it crashes", async () => {
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
