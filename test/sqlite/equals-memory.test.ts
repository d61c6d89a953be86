// The SQLite store and the memory store are one and the same to whoever asks: whatever is asked of them, in whatever
// order and however often they are opened anew, they answer alike, and the law of the counters holds all the time.

import {
  type AttemptRecord,
  type Changes,
  countsBalance,
  DEDUPE_WINDOW_MS,
  type DeliveryId,
  type DeliveryStore,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  type LeaseToken,
  type NewMessage,
  type Outcome,
  type SourceId,
  totalCounts,
} from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import fc from "fast-check";
import { expect, it } from "vitest";
import { changes, later } from "./changes.js";
import { newFile, openStore } from "./files.js";

type Question = (store: DeliveryStore, now: EpochMs) => Promise<unknown>;
type Step =
  | { readonly kind: "ask"; readonly asked: unknown; readonly ask: Question }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "reopen" };

const LEASE_MS = 1_000;
const lanes = fc.constantFrom("a", "b", "é") as fc.Arbitrary<DestinationId>;
const sources = fc.constantFrom("web", "app\u0000") as fc.Arbitrary<SourceId>;
const tokens = fc.constantFrom("t1", "t2") as fc.Arbitrary<LeaseToken>;
const ids = fc.integer({ min: 1, max: 14 }).map((n) => String(n) as DeliveryId);
const times = fc.integer({ min: 0, max: 5_000 }).map(later);
const limits = fc.integer({ min: 1, max: 4 });
const endpoints = fc.constantFrom("https://a.test/", "https://b.test/") as fc.Arbitrary<EndpointId>;

const starts = fc.oneof(
  fc.constant({ kind: "claimed" } as const),
  times.map((dueAt) => ({ kind: "waiting", dueAt }) as const),
  fc.constant({ kind: "dead", reason: "lane-full" } as const),
);

const messages: fc.Arbitrary<NewMessage> = fc.record({
  source: sources,
  messageId: fc.constantFrom("1", "2", "3", "4", "\udfff", "x\u0000y", "x"),
  type: fc.constantFrom("track", "page"),
  receivedAt: times,
  body: fc.uint8Array({ maxLength: 8 }) as fc.Arbitrary<never>,
  deliveries: fc.array(fc.record({ destination: lanes, start: starts }), { maxLength: 3 }),
  filtered: fc.array(fc.constant({ destination: null, reason: "no-destination" } as const), { maxLength: 2 }),
});

const attempts: fc.Arbitrary<AttemptRecord> = fc.record({
  round: fc.integer({ min: 1, max: 3 }),
  endpoint: endpoints,
  startedAt: times,
  durationMs: fc.integer({ min: 0, max: 5_000 }),
  result: fc.oneof(
    fc.record({ kind: fc.constant("answered"), status: fc.constantFrom(200, 404, 503) }),
    fc.record({ kind: fc.constant("silent"), fault: fc.constantFrom("timeout", "dns") }),
  ),
  verdict: fc.constantFrom("success", "retry", "refused"),
});

const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant({ kind: "delivered", detail: "200" } as const),
  fc.constant({ kind: "dead", reason: "refused", detail: "404" } as const),
  fc.constant({ kind: "dead", reason: "expired" } as const),
  times.map((dueAt) => ({ kind: "rescheduled", dueAt, detail: "503" }) as const),
  times.map((dueAt) => ({ kind: "released", dueAt }) as const),
);

const settlements = fc.record({
  id: ids,
  token: tokens,
  outcome: outcomes,
  attempts: fc.array(attempts, { maxLength: 2 }),
  endpoints: fc.array(
    fc.record({ endpoint: endpoints, refused: fc.boolean(), excerpt: fc.uint8Array({ maxLength: 3 }) }),
    { maxLength: 2 },
  ),
});

const lists = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(item, { maxLength: 3 });

const commits: fc.Arbitrary<Changes> = fc.record({
  accept: lists(messages),
  replay: lists(fc.record({ of: ids, start: starts })),
  settle: lists(settlements),
  append: lists(fc.record({ id: ids, attempt: attempts })),
  tally: lists(fc.record({ source: sources, refused: fc.nat(3), suppressed: fc.nat(3), shed: fc.nat(3) })),
  lease: tokens.map((token) => ({ token, leaseMs: LEASE_MS })),
});

const claims = fc.record({
  token: tokens,
  leaseMs: fc.constant(LEASE_MS),
  lanes: fc.uniqueArray(fc.record({ lane: lanes, limit: limits }), { selector: ({ lane }) => lane }),
});

const queries = fc.record(
  {
    state: fc.constantFrom("waiting", "claimed", "delivered", "dead"),
    reason: fc.constantFrom("refused", "expired", "lane-full"),
    source: sources,
    destination: lanes,
    type: fc.constantFrom("track", "page"),
    messageId: fc.constantFrom("1", "\udfff", "x\u0000y", "x"),
    acceptedSince: times,
    acceptedBefore: times,
    notReplayed: fc.boolean(),
    after: fc.integer({ min: 1, max: 14 }).map((n) => `before-${String(n)}`),
    limit: limits,
  },
  { requiredKeys: ["limit"] },
);

// No limit that bites: which of several are ended or swept first is a store's own affair.
const endings = fc.record(
  {
    lane: lanes,
    reason: fc.constantFrom("expired", "destination-removed"),
    firstAttemptBefore: times,
    acceptedBefore: times,
    limit: fc.constant(100),
  },
  { requiredKeys: ["lane", "reason", "limit"] },
);
const sweeps = fc.record({ deliveredBefore: times, deadBefore: times, limit: fc.constant(100) });

const ask = <T>(asked: fc.Arbitrary<T>, question: (store: DeliveryStore, asked: T, now: EpochMs) => Promise<unknown>) =>
  asked.map((value): Step => ({ kind: "ask", asked: value, ask: (store, now) => question(store, value, now) }));

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ask(commits, (store, asked, now) => store.commit(asked, now)) },
  { weight: 4, arbitrary: ask(claims, (store, asked, now) => store.claim(asked, now)) },
  { weight: 3, arbitrary: ask(queries, (store, asked) => store.list(asked)) },
  { weight: 2, arbitrary: ask(endings, (store, asked, now) => store.end(asked, now)) },
  { weight: 1, arbitrary: ask(sweeps, (store, asked, now) => store.sweep(asked, now)) },
  {
    weight: 1,
    arbitrary: ask(fc.record({ after: lanes, limit: limits }), (store, asked, now) => store.lanes(asked, now)),
  },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2_000 }).map((ms): Step => ({ kind: "pass", ms })) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "pass", ms: DEDUPE_WINDOW_MS }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "reopen" }) },
);

/** All that can be seen of a store. */
async function everything(store: DeliveryStore, now: EpochMs): Promise<unknown> {
  const { deliveries } = await store.list({ limit: 1_000 });
  const counts = await store.counts();
  return {
    records: await Promise.all(deliveries.map(({ id }) => store.find(id))),
    counts: counts.toSorted((one, other) => (one.source < other.source ? -1 : 1)),
    lanes: await store.lanes({ limit: 100 }, now),
  };
}

async function play(script: readonly Step[]): Promise<void> {
  const disk = createMemoryDisk();
  const file = newFile();
  const memory = createMemoryStore({ disk });
  let sqlite = openStore(file);
  let now = later(0);
  for (const step of script) {
    switch (step.kind) {
      case "pass":
        now = (now + step.ms) as EpochMs;
        break;
      case "reopen":
        sqlite = openStore(file);
        break;
      case "ask":
        expect(await step.ask(sqlite, now)).toEqual(await step.ask(memory, now));
        expect(countsBalance(totalCounts(await sqlite.counts()))).toBe(true);
        break;
    }
  }
  expect(await everything(sqlite, now)).toEqual(await everything(memory, now));
  await sqlite.close();
}

it("the SQLite store answers whatever the memory store answers", async () => {
  await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), play), { numRuns: 60 });
}, 60_000);

it("nothing at all is a commit too", async () => {
  const store = openStore();
  const nothing = { accepted: [], replayed: [], settled: [], appended: [] };
  expect(await store.commit(changes({}), later(0))).toEqual(nothing);
  expect(await store.counts()).toEqual([]);
  await store.close();
});
