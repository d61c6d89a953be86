// Calls when too many are pending, when the thread dies, and when it never starts; and values that are not plain JSON.

import type {
  AudienceStore,
  Body,
  Changes,
  DeliveryId,
  DeliveryStore,
  DestinationId,
  EpochMs,
  LeaseToken,
  SourceId,
} from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { connectStores, MAX_PENDING_CALLS, type ChannelEnd, serveStores } from "@postrider/thread";
import { MessageChannel, Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { connected, connectedBy } from "./channel.js";

const NOW = 1_763_724_404_000 as EpochMs;

function calls(...bodies: readonly Uint8Array[]): Changes {
  const accept = bodies.map((body, index) => ({
    ...{ source: "web" as SourceId, messageId: String(index), type: "track" as const, receivedAt: NOW, filtered: [] },
    body: body as Body,
    deliveries: [{ destination: "crm" as DestinationId, start: { kind: "waiting", dueAt: NOW } as const }],
  }));
  const lease = { token: "t" as LeaseToken, leaseMs: 30_000 };
  return { accept, replay: [], settle: [], append: [], tally: [], lease };
}

function memoryStore(): DeliveryStore {
  return createMemoryStore({ disk: createMemoryDisk() });
}

/** A store whose `counts` never settles. */
function silent(): DeliveryStore {
  return { ...memoryStore(), counts: () => new Promise(() => undefined) };
}

/** A program as a thread, for behaviour that no real store has. */
function threadOf(program: string): Worker {
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
}

/** A port whose last answer and whose end come in one turn, as those of a thread do that is done. */
function endingPort(): { readonly port: ChannelEnd; readonly end: () => void } {
  const listeners = new Map<string, (value: unknown) => void>();
  const hear = (message: object): void => listeners.get("message")?.(message);
  let lastId = 0;
  const port: ChannelEnd = {
    postMessage: (asked) => void (lastId = (asked as { readonly id: number }).id),
    on: (event, listener) => listeners.set(event, listener),
  };
  queueMicrotask(() => {
    hear({ kind: "answer", id: 0, text: '{"hasDeletions":false,"hasAudiences":false}' });
  });
  return {
    port,
    end: () => {
      hear({ kind: "answer", id: lastId, text: "" });
      listeners.get("exit")?.(0);
    },
  };
}

const OPENED = `{ kind: "answer", id: 0, text: '{"hasDeletions":false,"hasAudiences":false}' }`;
const HEAR = `import { parentPort } from "node:worker_threads"; parentPort.postMessage(${OPENED});`;

describe("a connected store", () => {
  it("passes on an argument that is given, and leaves out one that is not", async () => {
    const seen: unknown[][] = [];
    const read: AudienceStore["read"] = (...args) => (seen.push(args), Promise.resolve([]));
    const audiences = { ...createMemoryAudienceStore({ disk: createMemoryDisk() }), read };
    const connectedAudiences = (await connected({ deliveries: memoryStore(), audiences })).audiences;
    const set = "1";
    await connectedAudiences?.read(set, "u1");
    await connectedAudiences?.read(set);
    await connectedAudiences?.read(set, undefined);
    expect(seen).toEqual([[set, "u1"], [set], [set]]);
  });

  it("has the parts that the served store has, and no others", async () => {
    const { deletions, ...plain } = memoryStore();
    const without = await connected({ deliveries: plain });
    expect(deletions).toBeDefined();
    expect(without.deliveries).not.toHaveProperty("deletions");
    expect(without).not.toHaveProperty("audiences");
    const audiences = createMemoryAudienceStore({ disk: createMemoryDisk() });
    const both = await connected({ deliveries: memoryStore(), audiences });
    expect(both.deliveries.deletions).toBeDefined();
    expect(both.audiences).toBeDefined();
  });

  it("leaves byte arrays of the caller as they are, and returns none that shares a buffer with another", async () => {
    const { deliveries } = await connected({ deliveries: memoryStore() });
    const pool = new Uint8Array([1, 2, 3, 4, 5]);
    const bodies = [pool.subarray(0, 2), pool.subarray(2, 2), pool.subarray(2)];
    await deliveries.commit(calls(...bodies), NOW);
    expect(pool).toEqual(new Uint8Array([1, 2, 3, 4, 5]));
    const lanes = [{ lane: "crm" as DestinationId, limit: 9 }];
    const claimed = await deliveries.claim({ token: "t" as LeaseToken, leaseMs: 30_000, lanes }, NOW);
    expect(claimed.deliveries.map(({ body }) => [...body])).toEqual([[1, 2], [], [3, 4, 5]]);
    expect(claimed.deliveries.map(({ body }) => body.buffer.byteLength)).toEqual([2, 0, 3]);
    await deliveries.close();
  });

  it("returns for each replay whether there is a new delivery", async () => {
    const { deliveries } = await connected({ deliveries: memoryStore() });
    const of = "nobody" as DeliveryId;
    const replay = [{ of, start: { kind: "waiting", dueAt: NOW } as const }];
    expect((await deliveries.commit({ ...calls(), replay }, NOW)).replayed).toEqual([undefined]);
    await deliveries.close();
  });

  it("rejects as the served store rejects", async () => {
    const failing: DeliveryStore = {
      ...memoryStore(),
      counts: () => Promise.reject(Object.assign(new Error("the disk is full"), { code: "full" })),
      find: () => Promise.reject(new Error("a bug")),
    };
    const { deliveries } = await connected({ deliveries: failing });
    await expect(deliveries.counts()).rejects.toMatchObject({ code: "full", message: "the disk is full" });
    const bug = await deliveries.find("1" as DeliveryId).catch((error: unknown) => error);
    expect(bug).toMatchObject({ message: "a bug" });
    expect(bug).not.toHaveProperty("code");
    await deliveries.close();
  });

  it.each<[string, unknown]>([
    ["a text", "a text"],
    ["null", null],
    ["nothing", undefined],
    ["an object that is no error", { code: 5 }],
  ])("rejects with an error if the served store rejects with %s", async (_, reason) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as a store in plain JavaScript may
    const failing: DeliveryStore = { ...memoryStore(), counts: () => Promise.reject(reason) };
    const { deliveries } = await connected({ deliveries: failing });
    const error = await deliveries.counts().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ message: "an unknown fault" });
    expect(error).not.toHaveProperty("code");
    await deliveries.close();
  });

  it("reports that a store is corrupt, until it is closed, and reports no other error", async () => {
    const codes = ["busy", "corrupt", "full", "unavailable"];
    const failing: DeliveryStore = {
      ...memoryStore(),
      find: (id) => Promise.reject(Object.assign(new Error(`it is ${id}`), { code: id })),
      close: () => Promise.reject(Object.assign(new Error("it was not closed in order"), { code: "corrupt" })),
    };
    const told: string[] = [];
    const { deliveries } = await connected({ deliveries: failing }, { onCorrupt: (why) => told.push(why) });
    await Promise.allSettled(codes.map((code) => deliveries.find(code as DeliveryId)));
    await expect(deliveries.close()).rejects.toMatchObject({ code: "corrupt" });
    expect(told).toEqual(["it is corrupt"]);
  });

  it("carries out calls in the order in which they are made", async () => {
    const asked: string[] = [];
    const noted: DeliveryStore = {
      ...memoryStore(),
      counts: () => (asked.push("counts"), Promise.resolve([])),
      find: (id) => (asked.push(id), Promise.resolve(undefined)),
    };
    const { deliveries } = await connected({ deliveries: noted });
    await Promise.all([deliveries.find("1" as DeliveryId), deliveries.counts(), deliveries.find("2" as DeliveryId)]);
    expect(asked).toEqual(["1", "counts", "2"]);
  });

  it("rejects with busy when too many calls are pending", async () => {
    const { deliveries } = await connected({ deliveries: silent() });
    for (let n = 0; n < MAX_PENDING_CALLS; n += 1) deliveries.counts().catch(() => undefined);
    await expect(deliveries.find("1" as DeliveryId)).rejects.toMatchObject({ code: "busy" });
  });
});

describe("stores that are closed", () => {
  it("end the thread with the last of them, once, without a call of onEnd", async () => {
    const told: string[] = [];
    const audiences = createMemoryAudienceStore({ disk: createMemoryDisk() });
    const stores = await connected({ deliveries: memoryStore(), audiences }, { onEnd: (why) => told.push(why) });
    await stores.deliveries.close();
    await stores.deliveries.close();
    expect(await stores.audiences?.sets("")).toEqual([]);
    await stores.audiences?.close();
    await expect(stores.deliveries.counts()).rejects.toMatchObject({ code: "unavailable" });
    expect(told).toEqual([]);
  });

  it("cause no call of onEnd, though the thread ends in the turn in which it responds to the close", async () => {
    const told: string[] = [];
    const { port, end } = endingPort();
    const { deliveries } = await connectStores(port, { onEnd: (why) => told.push(why) });
    const closing = deliveries.close();
    end();
    await expect(closing).resolves.toBeUndefined();
    expect(told).toEqual([]);
  });

  it("are closed however many calls are pending", async () => {
    const { deliveries } = await connected({ deliveries: silent() });
    for (let n = 0; n < MAX_PENDING_CALLS; n += 1) deliveries.counts().catch(() => undefined);
    await expect(deliveries.close()).resolves.toBeUndefined();
  });

  it("end the thread though one of them fails to close in order", async () => {
    const close = (): Promise<void> => Promise.reject(Object.assign(new Error("no folder"), { code: "unavailable" }));
    const { deliveries } = await connected({ deliveries: { ...memoryStore(), close } });
    await expect(deliveries.close()).rejects.toThrow("no folder");
    // By then there is nothing left to close.
    await expect(deliveries.close()).resolves.toBeUndefined();
  });
});

describe("stores that cannot be opened", () => {
  it("reject with the error of the function that opens them", async () => {
    const told: string[] = [];
    const open = (): never => {
      throw Object.assign(new Error("the file is broken"), { code: "corrupt" });
    };
    const failing = connectedBy(open, { onCorrupt: (why) => told.push(why) });
    await expect(failing).rejects.toMatchObject({ code: "corrupt", message: "the file is broken" });
    expect(told).toEqual([]);
  });

  it.each([
    ["cannot be loaded", `import "no-such-module";`, /has failed: .*no-such-module/],
    ["ends at once", "", /has ended/],
    ["runs out of memory", `const all = []; for (;;) all.push(new Array(1e6).fill({}));`, /has failed: .*memory/],
  ])("are unavailable when the thread %s", async (_, program, words) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
    await expect(connectStores(worker)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(words) as string,
    });
  });
});

describe("a thread that dies", () => {
  it.each([
    ["throws", `parentPort.on("message", () => { throw new Error("a fault"); });`, "has failed: a fault"],
    ["exits", `parentPort.on("message", () => process.exit(1));`, "has ended"],
  ])("when it %s rejects every pending call, and calls onEnd once", async (_, rest, words) => {
    const told: string[] = [];
    const { deliveries } = await connectStores(threadOf(HEAR + rest), { onEnd: (why) => told.push(why) });
    const outcomes = await Promise.allSettled([deliveries.commit(calls(), NOW), deliveries.counts()]);
    const unavailable = { code: "unavailable", message: expect.stringContaining(words) as string };
    expect(outcomes).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    await expect(deliveries.counts()).rejects.toMatchObject(unavailable);
    deliveries.onEnd?.((why) => told.push(`later: ${why}`));
    await expect(deliveries.close()).resolves.toBeUndefined();
    expect(told).toEqual([expect.stringContaining(words), expect.stringMatching(`^later: .*${words}`)]);
  });
});

describe("a message that is cut short on its way", () => {
  it("is not stored", async () => {
    const { port1, port2 } = new MessageChannel();
    const store = memoryStore();
    void serveStores(() => ({ deliveries: store }), port1);
    const { deliveries } = await connectStores(cutting(port2));
    await expect(deliveries.commit(calls(new Uint8Array(9)), NOW)).rejects.toThrow("incomplete or damaged");
    expect(await store.counts()).toEqual([]);
  });

  it("is not returned by a claim", async () => {
    const { port1, port2 } = new MessageChannel();
    const store = memoryStore();
    await store.commit(calls(new Uint8Array(9)), NOW);
    void serveStores(() => ({ deliveries: store }), cutting(port1));
    const { deliveries } = await connectStores(port2);
    const lanes = [{ lane: "crm" as DestinationId, limit: 9 }];
    const claim = deliveries.claim({ token: "t" as LeaseToken, leaseMs: 30_000, lanes }, NOW);
    await expect(claim).rejects.toThrow("incomplete or damaged");
  });
});

/** Loses the last byte of what it sends. */
function cutting(port: ChannelEnd): ChannelEnd {
  return {
    on: (event, listener) => port.on(event, listener),
    postMessage: (message) => {
      const bytes = (message as { bytes?: Uint8Array }).bytes;
      port.postMessage({ ...(message as object), ...(bytes === undefined ? {} : { bytes: bytes.slice(1) }) }, []);
    },
    close: () => port.close?.(),
  };
}
