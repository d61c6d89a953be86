// One client for all requests of an edge worker, whose runtime drops the timers and the answers that a request waits for once that
// request has ended: no call waits for them for ever.

import { AsyncLocalStorage } from "node:async_hooks";
import { type Client, type ClientOptions, createClient } from "@postrider/client";
import { createDurableClient } from "@postrider/client/durable";
import type { Clock } from "@postrider/core";
import { createManualClock, createMemoryCallStorage, createSeededRandom, type ManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOK_AGAIN_MS } from "../../packages/client/src/limits.js";
import { WRITE_KEY } from "../canary.js";
import { answer, ENDPOINT, type Reaction } from "./rig.js";

/** How long the server takes to answer, in milliseconds. */
const ANSWER_MS = 20;

interface Request {
  hasEnded: boolean;
}

interface Worker {
  readonly client: Client;
  readonly clock: ManualClock;
  /** The messageIds that the server has taken. */
  readonly arrived: ReadonlySet<string>;
  /** The same as often as the server has taken them. */
  readonly taken: readonly string[];
  /** What the server does from now on. */
  reacts(reaction: () => Reaction): void;
  /** Runs the code of a request, and returns a function that ends the request. */
  request(work: () => void): () => void;
}

function startWorker(create: (options: ClientOptions) => Client): Worker {
  const manual = createManualClock();
  const current = new AsyncLocalStorage<Request>();
  const arrived = new Set<string>();
  const taken: string[] = [];
  let react = (): Reaction => answer(200);
  const clock: Clock = {
    wall: () => manual.wall(),
    monotonic: () => manual.monotonic(),
    after: (delayMs, wake) => {
      const request = current.getStore();
      return manual.after(delayMs, () => {
        if (request === undefined) wake();
        else if (!request.hasEnded) current.run(request, wake);
      });
    },
  };
  const transport = async (_: string, { body }: { readonly body: string }): Promise<Response> => {
    const request = current.getStore();
    const reaction = react();
    if (reaction instanceof Response && reaction.ok) {
      const { batch } = JSON.parse(body) as { batch: readonly { messageId: string }[] };
      taken.push(...batch.map(({ messageId }) => messageId));
      for (const id of taken) arrived.add(id);
    }
    await new Promise<void>((resolve) => manual.after(ANSWER_MS, resolve));
    if (reaction === "silent" || request?.hasEnded === true) return new Promise(() => undefined);
    if (reaction === "reset") throw new TypeError("fetch failed");
    return reaction;
  };
  const client = create({ endpoint: ENDPOINT, clock, transport, random: createSeededRandom(1) });
  return {
    client,
    clock: manual,
    arrived,
    taken,
    reacts: (next) => {
      react = next;
    },
    request: (work) => {
      const request: Request = { hasEnded: false };
      current.run(request, work);
      return () => {
        request.hasEnded = true;
      };
    },
  };
}

const CLIENTS: readonly (readonly [name: string, create: (options: ClientOptions) => Client])[] = [
  ["a client", (options) => createClient(WRITE_KEY, { ...options, maxRetries: 1_000 })],
  [
    "a durable client",
    (options) => createDurableClient(WRITE_KEY, { ...options, storage: createMemoryCallStorage({ maxCalls: 1_000 }) }),
  ],
];

const reaction = fc.constantFrom<() => Reaction>(
  () => answer(200),
  () => answer(503),
  () => answer(503, null, { "retry-after": "7" }),
  () => "reset",
  () => "silent",
);

/** A request that makes calls, waits at most this long until they have ended, and leaves at once or then. */
const visit = fc.record({
  reaction,
  calls: fc.nat(25),
  timeoutMs: fc.option(fc.nat(3_000), { nil: undefined }),
  leavesAfterMs: fc.option(fc.nat(500), { nil: undefined }),
  pauseMs: fc.nat(8_000),
});

describe.each(CLIENTS)("with %s for all requests of a worker", (_, create) => {
  function makeCalls(client: Client, count: number): void {
    for (let made = 0; made < count; made += 1) client.track({ userId: "u1", event: "e" });
  }

  async function lastRequest(worker: Worker): Promise<object> {
    worker.reacts(() => answer(200));
    const flushed = new Promise<object>((resolve) => {
      worker.request(() => void worker.client.flush({ timeoutMs: 120_000 }).then(resolve));
    });
    await worker.clock.advance(120_000);
    return flushed;
  }

  it.each<[what: string, reaction: Reaction]>([
    ["a pause after a 503", answer(503)],
    ["a try without an answer", "silent"],
    ["a broken try", "reset"],
  ])("calls of requests that ended in %s arrive with a later one", async (_what, reaction) => {
    const worker = startWorker(create);
    worker.reacts(() => reaction);
    for (let made = 0; made < 6; made += 1) {
      const end = worker.request(() => {
        makeCalls(worker.client, 1);
        void worker.client.flush({ timeoutMs: 100 });
      });
      await worker.clock.advance(100);
      end();
    }
    expect(worker.arrived.size).toBe(0);
    expect(await lastRequest(worker)).toMatchObject({ failed: 0, pending: 0 });
    expect(worker.arrived.size).toBe(6);
  });

  it("calls that no request waited for leave with the first call after their time", async () => {
    const worker = startWorker(create);
    worker.request(() => makeCalls(worker.client, 3))();
    await worker.clock.advance(60_000);
    expect(worker.arrived.size).toBe(0);
    worker.request(() => makeCalls(worker.client, 1));
    await worker.clock.advance(ANSWER_MS);
    expect(worker.arrived.size).toBe(3);
  });

  it("twenty requests at once, each of which ends with its flush, deliver each call once and at once", async () => {
    const worker = startWorker(create);
    const [reports, ends]: [object[], (() => void)[]] = [[], []];
    for (let index = 0; index < 20; index += 1) {
      const end = worker.request(() => {
        makeCalls(worker.client, 1);
        void worker.client.flush().then((report) => {
          reports.push(report);
          ends[index]!();
        });
      });
      ends.push(end);
    }
    await worker.clock.advance(3 * ANSWER_MS);
    expect(reports).toHaveLength(20);
    expect(reports).not.toContainEqual(expect.objectContaining({ delivered: 0 }));
    expect(worker.taken).toHaveLength(20);
  });

  it("a pause that another request begins, and does not live to end, is over for the one that waits within a second", async () => {
    const worker = startWorker(create);
    worker.reacts(() => answer(503));
    const end = worker.request(() => {
      makeCalls(worker.client, 1);
      void worker.client.flush();
    });
    worker.request(() => void worker.client.flush());
    await worker.clock.advance(ANSWER_MS);
    end();
    worker.reacts(() => answer(200));
    await worker.clock.advance(LOOK_AGAIN_MS + ANSWER_MS);
    expect(worker.arrived.size).toBe(1);
  });

  it("every flush of a living request ends in time, and every call arrives", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { maxLength: 12 }), async (visits) => {
        const worker = startWorker(create);
        let made = 0;
        for (const { calls, timeoutMs, leavesAfterMs, pauseMs, ...one } of visits) {
          worker.reacts(one.reaction);
          let isFlushed = timeoutMs === undefined;
          const end = worker.request(() => {
            makeCalls(worker.client, calls);
            if (timeoutMs !== undefined)
              void worker.client.flush({ timeoutMs }).then(() => {
                isFlushed = true;
              });
          });
          made += calls;
          await worker.clock.advance(leavesAfterMs ?? timeoutMs ?? 0);
          if (leavesAfterMs === undefined) expect(isFlushed).toBe(true);
          end();
          await worker.clock.advance(pauseMs);
        }
        expect(await lastRequest(worker)).toMatchObject({ failed: 0, pending: 0 });
        expect(worker.arrived.size).toBe(made);
      }),
      { numRuns: Number(process.env["POSTRIDER_RUNS"] ?? 50) },
    );
  });
});
