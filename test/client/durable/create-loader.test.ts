import type { KeptCallPageRequest } from "@postrider/client/durable";
import { createMemoryCallStorage, type ManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { answer } from "../rig.js";
import { callsLeft, createDisk, type Options, loadAll, start } from "./rig.js";

describe("a client on a storage in which calls are left", () => {
  it("leaves stored texts that are not calls any more where they are", async () => {
    const works = createMemoryCallStorage();
    const good = { messageId: "m2", type: "track", json: '{"messageId":"m2","userId":"u1","event":"e"}' } as const;
    await works.change({ keep: [{ ...good, messageId: "m1", json: "{" }, good], drop: [] });
    const disk = { ...createDisk(), load: (request: KeptCallPageRequest) => works.load(request) };
    const { client, received, log } = start(disk);
    await client.flush();
    expect(received).toEqual(["m2"]);
    expect(log).toContainEqual({ code: "calls-left", calls: 1, detail: "unreadable" });
  });

  it.each(["wait", "refuse"] as const)("makes all calls that are left, as room allows: %s", async (whenFull) => {
    const storage = createMemoryCallStorage();
    await storage.change({ keep: callsLeft(100), drop: [] });
    const slow = (clock: ManualClock): Promise<Response> =>
      new Promise((resolve) => clock.after(100, () => resolve(answer(200))));
    const { client, clock, received, log } = start(storage, slow, { whenFull, maxQueued: { calls: 30 } });
    const flushed = client.flush();
    await clock.advance(60_000);
    expect(await flushed).toEqual({ delivered: 100, failed: 0, pending: 0 });
    expect(received).toEqual(callsLeft(100).map(({ messageId }) => messageId));
    expect(await loadAll(storage)).toEqual([]);
    expect(log).not.toContainEqual(expect.objectContaining({ code: "calls-left" }));
  });

  it("waits in flush and close no longer than their timeouts, however many calls are left", async () => {
    const storage = createMemoryCallStorage();
    await storage.change({ keep: callsLeft(100), drop: [] });
    const options: Options = { whenFull: "wait", maxQueued: { calls: 30 }, closeTimeoutMs: 1_000 };
    const { client, clock } = start(storage, () => answer(503), options);
    const flushed = client.flush({ timeoutMs: 100 });
    await clock.advance(100);
    expect(await flushed).toEqual({ delivered: 0, failed: 0, pending: 100 });
    const closed = client.close();
    await clock.advance(1_000);
    expect((await closed).undelivered).toHaveLength(30);
    expect(await loadAll(storage)).toHaveLength(100);
  });

  it("makes the calls that are left, as far as there is room, before it is closed", async () => {
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
    expect(await loadAll(storage)).toHaveLength(100);
    const next = start(storage);
    await next.client.close();
    expect(next.received).toHaveLength(100);
    expect(await loadAll(storage)).toEqual([]);
  });
});
