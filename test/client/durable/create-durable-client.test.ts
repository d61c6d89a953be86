import { createDurableClient, type CallStorage, type KeptCall } from "@postrider/client/durable";
import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../../canary.js";
import { answer, ENDPOINT } from "../world.js";

/** What survives a crash, and how many changes were made. */
interface Disk extends CallStorage {
  readonly kept: Map<string, KeptCall>;
  changes: number;
  isBroken: boolean;
}

function createDisk(): Disk {
  const disk: Disk = {
    kept: new Map(),
    changes: 0,
    isBroken: false,
    load: async () => [...disk.kept.values()],
    change: async ({ keep, drop }) => {
      if (disk.isBroken) throw new Error("CANARY");
      disk.changes += 1;
      for (const call of keep) disk.kept.set(call.messageId, call);
      for (const messageId of drop) disk.kept.delete(messageId);
    },
  };
  return disk;
}

function start(disk: Disk, react: () => Response | Promise<Response> = () => answer(200)) {
  const clock = createManualClock();
  const received: string[] = [];
  const log: unknown[] = [];
  const transport = async (_: string, { body }: { readonly body: string }) => {
    const response = await react();
    const { batch } = JSON.parse(body) as { batch: readonly { messageId: string }[] };
    if (response.status === 200) received.push(...batch.map(({ messageId }) => messageId));
    return response;
  };
  const logger = { log: (_: unknown, entry: unknown) => void log.push(entry) };
  const client = createDurableClient(WRITE_KEY, { endpoint: ENDPOINT, storage: disk, clock, transport, logger });
  const track = (count: number): readonly string[] =>
    Array.from({ length: count }, () => client.track({ userId: "u1", event: "e" })._unsafeUnwrap().messageId);
  return { client, clock, received, log, track };
}

describe("a client on a storage", () => {
  it("keeps what is called until it is delivered", async () => {
    const disk = createDisk();
    const { client, clock, track, received } = start(disk);
    const ids = track(3);
    await clock.settle();
    expect([...disk.kept.keys()]).toEqual(ids);
    expect(disk.changes).toBe(1);
    expect(await client.flush()).toEqual({ delivered: 3, failed: 0, pending: 0 });
    expect(received).toEqual(ids);
    expect(disk.kept.size).toBe(0);
  });

  it("makes the calls anew that a crash has left, as they were", async () => {
    const disk = createDisk();
    const crashed = start(disk, () => new Promise(() => undefined));
    const ids = crashed.track(25);
    await crashed.clock.settle();
    const kept = [...disk.kept.values()];

    const next = start(disk);
    await next.clock.settle();
    expect([...disk.kept.values()].map(({ json }) => JSON.parse(json))).toEqual(
      kept.slice(20).map(({ json }) => JSON.parse(json)),
    );
    await next.client.close();
    expect(next.received).toEqual(ids);
    expect(disk.kept.size).toBe(0);
  });

  it("keeps what close has left, and drops what was refused", async () => {
    const disk = createDisk();
    const away = start(disk, () => answer(503));
    const ids = away.track(2);
    const closing = away.client.close();
    await away.clock.advance(60_000);
    expect((await closing).undelivered).toHaveLength(2);
    expect([...disk.kept.keys()]).toEqual(ids);

    const refused = start(disk, () => answer(400));
    await refused.client.flush();
    expect(disk.kept.size).toBe(0);
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
        expect(disk.kept.size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
