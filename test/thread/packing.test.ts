// What crosses a port flat is, on the other side, what it was: each value of the types that core has, with every optional field
// present and absent. The types of the arbitraries demand one for each field.

import type {
  AcceptResult,
  AttemptRecord,
  AttemptResult,
  Body,
  CallCounts,
  Changes,
  ClaimedDelivery,
  ClaimResult,
  CommitResult,
  DeliveryRecord,
  EndpointState,
  FilteredUnit,
  InitialState,
  Lapses,
  Lease,
  NewDelivery,
  NewMessage,
  NoticeProgress,
  Outcome,
  Replay,
  Settlement,
} from "@postrider/core";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import { OWN_BUFFER_BYTES } from "../../packages/thread/src/limits.js";
import { CLAIM_RESPONSE, FIND_RESPONSE } from "../../packages/thread/src/packing/claim.js";
import { COMMIT_REQUEST, COMMIT_RESPONSE } from "../../packages/thread/src/packing/commit.js";
import { buffersOf, type Packing } from "../../packages/thread/src/channel.js";

type Arbitraries<T> = { readonly [Name in keyof Required<T>]: Arbitrary<Required<T>[Name]> };

/** Objects of all fields, without any of the optional ones. */
function all<T>(fields: Arbitraries<T>, optional: readonly (keyof T)[] = []): Arbitrary<T> {
  const requiredKeys = Object.keys(fields).filter((name) => !optional.includes(name as keyof T));
  const record: Arbitrary<unknown> = fc.record(fields, { requiredKeys: requiredKeys as never, noNullPrototype: true });
  return record as Arbitrary<T>;
}

/** Any member of a union, of which each is made by one arbitrary, under its kind. */
function anyOf<T extends { readonly kind: string }>(members: {
  readonly [Kind in T["kind"]]: Arbitrary<Extract<T, { readonly kind: Kind }>>;
}): Arbitrary<T> {
  return fc.oneof(...Object.values<Arbitrary<T>>(members)).map((member) => ({ ...member }));
}

const kind = <Kind extends string>(one: Kind): Arbitrary<Kind> => fc.constant(one);
const numbers = fc.oneof(fc.nat(9), fc.integer(), fc.double(), fc.constant(1_763_724_404_000)) as Arbitrary<never>;
const texts = nastyStrings() as Arbitrary<never>;
const bytes = fc.oneof(
  { weight: 9, arbitrary: fc.uint8Array({ maxLength: 9 }) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(OWN_BUFFER_BYTES).fill(1)) },
);
const bodies = bytes as Arbitrary<Body>;
const lists = <T>(one: Arbitrary<T>): Arbitrary<T[]> => fc.array(one, { maxLength: 4 });

const starts = anyOf<InitialState>({
  claimed: fc.record({ kind: kind("claimed") }),
  waiting: fc.record({ kind: kind("waiting"), dueAt: numbers }),
  dead: fc.record({ kind: kind("dead"), reason: texts }),
});

const messages = all<NewMessage>(
  {
    source: texts,
    messageId: texts,
    type: texts,
    receivedAt: numbers,
    userIds: lists(texts),
    asOf: numbers,
    traceparent: texts,
    deletion: texts,
    body: bodies,
    deliveries: lists(all<NewDelivery>({ destination: texts, start: starts })),
    filtered: lists(all<FilteredUnit>({ destination: fc.option(texts), reason: texts })),
  },
  ["userIds", "asOf", "traceparent", "deletion"],
);

const attempts = all<AttemptRecord>({
  round: numbers,
  endpoint: texts,
  startedAt: numbers,
  durationMs: numbers,
  result: anyOf<AttemptResult>({
    answered: fc.record({ kind: kind("answered"), status: numbers }),
    silent: fc.record({ kind: kind("silent"), fault: texts }),
  }),
  verdict: texts,
});

const endpoints = all<EndpointState>({ endpoint: texts, refused: fc.boolean(), refusedAt: numbers, excerpt: bytes }, [
  "refusedAt",
  "excerpt",
]);

const outcomes = anyOf<Outcome>({
  delivered: fc.record({ kind: kind("delivered"), detail: texts }),
  dead: all<Extract<Outcome, { kind: "dead" }>>({ kind: kind("dead"), reason: texts, detail: texts }, ["detail"]),
  rescheduled: fc.record({ kind: kind("rescheduled"), dueAt: numbers, detail: texts }),
  released: fc.record({ kind: kind("released"), dueAt: numbers }),
});

const settlements = all<Settlement>({
  id: texts,
  token: texts,
  outcome: outcomes,
  attempts: lists(attempts),
  endpoints: lists(endpoints),
});

const changes = all<Changes>(
  {
    accept: lists(messages),
    replay: lists(all<Replay>({ of: texts, start: starts, once: fc.constant(true) }, ["once"])),
    settle: lists(settlements),
    append: lists(all<Changes["append"][number]>({ id: texts, attempt: attempts })),
    tally: lists(all<CallCounts>({ source: texts, refused: numbers, suppressed: numbers, shed: numbers })),
    notified: lists(all<NoticeProgress>({ deletion: texts, users: numbers })),
    lease: all<Lease>({ token: texts, leaseMs: numbers }),
  },
  ["notified"],
);

const committed = all<CommitResult>({
  accepted: lists(
    anyOf<AcceptResult>({
      stored: fc.record({ kind: kind("stored"), deliveries: lists(texts) }),
      duplicate: fc.record({ kind: kind("duplicate") }),
      suppressed: fc.record({ kind: kind("suppressed") }),
      outdated: fc.record({ kind: kind("outdated") }),
    }),
  ),
  replayed: lists(fc.option(texts, { nil: undefined })),
  settled: lists(texts),
  appended: lists(texts),
});

const claimed = all<ClaimResult>({
  deliveries: lists(
    all<ClaimedDelivery>(
      {
        ...{
          id: texts,
          lane: texts,
          source: texts,
          type: texts,
          messageId: texts,
          acceptedAt: numbers,
          dueAt: numbers,
        },
        ...{ body: bodies, rounds: numbers, firstAttemptAt: numbers, endpoints: lists(endpoints) },
        ...{ traceparent: texts, leaseUntil: numbers },
      },
      ["firstAttemptAt", "traceparent"],
    ),
  ),
  nextDueAt: fc.array(fc.tuple(texts, numbers), { maxLength: 4 }).map((entries) => new Map(entries)),
});

/** `find` is rare: but for its bytes it crosses as JSON, which has no -0 and no NaN. */
const wholeNumbers = fc.integer() as Arbitrary<never>;
const lapses = all<Lapses>(
  { count: wholeNumbers, process: texts, leaseUntil: wholeNumbers, takenAt: wholeNumbers, takenBy: texts },
  ["takenBy"],
);
const found = all<DeliveryRecord>(
  {
    ...{ id: texts, state: texts, reason: texts, detail: texts, source: texts, destination: texts, type: texts },
    ...{ messageId: texts, acceptedAt: wholeNumbers, dueAt: wholeNumbers, attemptCount: wholeNumbers, replayOf: texts },
    ...{ body: bytes, attempts: fc.constant([]), endpoints: lists(endpoints), lapses },
  },
  ["reason", "detail", "dueAt", "replayOf", "body", "lapses"],
);

function cross<T>(packing: Packing<T>, value: T): T {
  const parcel = packing.pack(value);
  return packing.unpack(structuredClone(parcel, { transfer: buffersOf(parcel) }));
}

function crossesUnchanged<T>(packing: Packing<T>, values: Arbitrary<T>): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(cross(packing, value)).toStrictEqual(value);
    }),
  );
}

describe("across a port", () => {
  it("a commit is what it was", () => {
    crossesUnchanged(COMMIT_REQUEST, fc.tuple(changes, numbers));
  });

  it("the result of a commit is what it was", () => {
    crossesUnchanged(COMMIT_RESPONSE, committed);
  });

  it("what was claimed is what it was", () => {
    crossesUnchanged(CLAIM_RESPONSE, claimed);
  });

  it("what was found is what it was, or nothing", () => {
    crossesUnchanged(FIND_RESPONSE, fc.option(found, { nil: undefined }));
  });

  it("a body of many megabytes is what it was, and is a view that the store has to copy", () => {
    const [message] = fc.sample(messages, 1);
    const [lease] = fc.sample(all<Lease>({ token: texts, leaseMs: numbers }), 1);
    const body = new Uint8Array(20_000_000).fill(9) as Body;
    const rest = { replay: [], settle: [], append: [], tally: [], lease: lease! };
    const sent: [Changes, never] = [{ accept: [{ ...message!, body }], ...rest }, 5 as never];
    const [{ accept }] = cross(COMMIT_REQUEST, sent);
    expect(accept[0]?.body.length).toBe(body.length);
    expect(Buffer.compare(accept[0]?.body ?? body.subarray(1), body)).toBe(0);
    expect(body.length).toBe(20_000_000);
  });
});
