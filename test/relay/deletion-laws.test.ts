// The laws of deletion over long random runs: random calls, receivers, requests and crashes, and an oracle that knows for
// each message whether a request has come after it.

import {
  type DeletionId,
  type DeliveryRecord,
  effectsOf,
  type Receipt,
  type Regulation,
  REGULATIONS,
  type SourceId,
} from "@postrider/core";
import { countsBalance, noticeId } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Behaviour, type Rig, createRig, destination, type Receiver, type SeenRequest, WEBSITE } from "./rig.js";
import { of, SHOP } from "./deletion-rig.js";

const POLICY = { timeoutMs: 1_000, retryWindowMs: 600_000, firstRetryMs: 200, maxRetryMs: 3_000, leaseMs: 6_000 };
/** Enough for the remaining work when the receivers have recovered. */
const END_MS = 30_000;
const USERS = ["ann", "bob", "cay"];
const SOURCES = [WEBSITE, SHOP];
/** The destinations that are notified of a user of each source. */
const TOLD: Readonly<Record<string, readonly string[]>> = { [WEBSITE]: ["crm", "mail"], [SHOP]: ["crm"] };

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ status: 200 }) },
  { weight: 3, arbitrary: fc.constantFrom(500, 503).map((status) => ({ status })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 1_200 }).map((afterMs) => ({ status: 503, afterMs })) },
  { weight: 1, arbitrary: fc.constant("silent" as const) },
);

type Step =
  | { readonly kind: "accept"; readonly source: SourceId; readonly users: readonly string[] }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "crash" }
  | {
      readonly kind: "request";
      readonly regulation: Regulation;
      readonly users: readonly string[];
      readonly sources: readonly SourceId[] | undefined;
    };

const someUsers = fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1, maxLength: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("accept" as const),
      source: fc.constantFrom(...SOURCES),
      users: someUsers,
    }),
  },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4_000 }).map((ms) => ({ kind: "advance" as const, ms })) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      regulation: fc.constantFrom(...REGULATIONS),
      users: someUsers,
      sources: fc.option(fc.subarray(SOURCES, { minLength: 1 }), { nil: undefined }),
    }),
  },
);

interface Life {
  readonly receivers: readonly [readonly Behaviour[], readonly Behaviour[]];
  readonly steps: readonly Step[];
  readonly seed: number;
}

const answers = fc.array(behaviour, { minLength: 1, maxLength: 6 });
const life: fc.Arbitrary<Life> = fc.record({
  receivers: fc.tuple(answers, answers),
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  seed: fc.integer(),
});

/** A call as the oracle knows it. */
interface Sent {
  readonly messageId: string;
  readonly source: SourceId;
  /** One, or the two of an alias. */
  readonly users: readonly string[];
  readonly wasSuppressed: boolean;
  readonly receipt: Receipt["kind"];
}

interface Asked {
  readonly id: DeletionId;
  readonly regulation: Regulation;
  readonly users: readonly string[];
  readonly sources: readonly SourceId[];
}

/** A message that may no longer be sent, the time of the ban, and the number of requests that receivers had by then. */
interface Ban {
  readonly messageId: string;
  readonly at: number;
  readonly seen: number;
  /** The lanes in which a round was under way. */
  readonly underWay: ReadonlySet<string>;
}

interface Lived {
  readonly rig: Rig;
  readonly sent: readonly Sent[];
  readonly asked: readonly Asked[];
  readonly bans: readonly Ban[];
}

/** Runs a random life to its end, with a check after each step. */
async function live({ receivers, steps, seed }: Life, look: (rig: Rig) => Promise<void> = nothing): Promise<Lived> {
  let hasRecovered = false;
  const inTurn =
    (list: readonly Behaviour[]): Receiver =>
    ({ nth }) =>
      hasRecovered ? { status: 200 } : (list[(nth - 1) % list.length] ?? "silent");
  const rig = createRig({
    receivers: { a: inTurn(receivers[0]), b: inTurn(receivers[1]) },
    sources: [SHOP],
    destinations: [destination("crm", ["a"], of(WEBSITE, SHOP)), destination("mail", ["b"], of(WEBSITE))],
    delivery: POLICY,
    seed,
  });
  const suppressed = new Set<string>();
  const sentCalls: Sent[] = [];
  const requests: Asked[] = [];
  const bans: Ban[] = [];
  for (const step of steps) {
    switch (step.kind) {
      case "accept":
        sentCalls.push(await send(rig, step, { nth: sentCalls.length, suppressed }));
        break;
      case "request": {
        const request = await ask(rig, step);
        requests.push(request);
        bans.push(...(await bansOf(rig, request, sentCalls)));
        for (const user of request.users) suppress(suppressed, request.regulation, user);
        break;
      }
      case "advance":
        await rig.advance(step.ms);
        break;
      case "crash":
        rig.crash();
        rig.restart();
        break;
    }
    await look(rig);
  }
  hasRecovered = true;
  await rig.advance(END_MS);
  await look(rig);
  return { rig, sent: sentCalls, asked: requests, bans };
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

async function send(
  rig: Rig,
  { source, users }: Extract<Step, { kind: "accept" }>,
  { nth, suppressed }: { readonly nth: number; readonly suppressed: ReadonlySet<string> },
): Promise<Sent> {
  const messageId = `m${String(nth)}`;
  const [userId, previousId] = users;
  const call =
    previousId === undefined
      ? { type: "track", event: "Opened", userId, messageId }
      : { type: "alias", userId, previousId, messageId };
  const [receipt] = await rig.answer(rig.relay().accept({ source, calls: [call] }));
  const wasSuppressed = users.some((user) => suppressed.has(user));
  return { messageId, source, users, wasSuppressed, receipt: receipt?.kind ?? "refused" };
}

/** Sources are left out if they are not allowed. */
async function ask(rig: Rig, { regulation, users, sources }: Extract<Step, { kind: "request" }>): Promise<Asked> {
  const isLimited = effectsOf(regulation).notifies && sources !== undefined;
  const request = { regulation, userIds: users, ...(isLimited ? { sources } : {}) };
  const id = await rig.answer(rig.relay().requestDeletion(request));
  return { id, regulation, users, sources: isLimited ? sources : SOURCES };
}

function suppress(suppressed: Set<string>, regulation: Regulation, user: string): void {
  const { suppression } = effectsOf(regulation);
  if (suppression === "begins") suppressed.add(user);
  if (suppression === "ends") suppressed.delete(user);
}

async function bansOf(rig: Rig, { regulation, users, sources }: Asked, sent: readonly Sent[]): Promise<readonly Ban[]> {
  const { purges, suppression } = effectsOf(regulation);
  if (!purges) return [];
  const records = await rig.all();
  return sent
    .filter((one) => one.users.some((user) => users.includes(user)))
    .filter(({ source }) => suppression === "begins" || sources.includes(source))
    .map(({ messageId }) => ({
      messageId,
      at: rig.clock.wall(),
      seen: rig.seen.length,
      underWay: claimedIn(records, messageId),
    }));
}

function claimedIn(records: readonly DeliveryRecord[], messageId: string): ReadonlySet<string> {
  const claimed = records.filter((record) => record.messageId === messageId && record.state === "claimed");
  return new Set(claimed.map((record) => record.destination));
}

function laneOf({ url }: SeenRequest): string {
  return url.includes("//a.") ? "crm" : "mail";
}

async function holds(check: (lived: Lived, records: readonly DeliveryRecord[]) => void | Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(life, async (one) => {
      const lived = await live(one);
      await check(lived, await lived.rig.all());
    }),
    { numRuns: 60 },
  );
}

describe("over any life with deletions", () => {
  it("nothing that was stored before a request is sent after it was answered, except by rounds under way", async () => {
    await holds(({ rig, bans }) => {
      for (const { messageId, at, seen, underWay } of bans) {
        const since = rig.seen.slice(seen).filter(({ body }) => body.includes(`"${messageId}"`));
        // A round that was under way began no later than the instant of the answer.
        const stray = since.filter((request) => !underWay.has(laneOf(request)) || request.at > at);
        expect(stray).toEqual([]);
      }
    });
  });

  it("nothing is left of the users of a request, and the request is finished", async () => {
    await holds(({ bans }, records) => {
      const banned = new Set(bans.map(({ messageId }) => messageId));
      for (const { messageId, body, state, reason, endpoints } of records) {
        if (!banned.has(messageId)) continue;
        expect(body).toBeUndefined();
        expect(endpoints.filter(({ excerpt }) => excerpt !== undefined)).toEqual([]);
        expect(["delivered", "purged"]).toContain(reason ?? state);
      }
    });
  });

  it("all other messages are delivered in the end", async () => {
    await holds(({ bans }, records) => {
      const banned = new Set(bans.map(({ messageId }) => messageId));
      const otherRecords = records.filter(({ messageId }) => !banned.has(messageId));
      expect(otherRecords.filter(({ state }) => state !== "delivered")).toEqual([]);
    });
  });

  it("each request is notified once for each user, source and destination, and is finished in the end", async () => {
    await holds(async ({ rig, asked }, records) => {
      const notices = records
        .filter(({ type }) => type === "delete")
        .map(({ source, destination: lane, messageId, state }) => `${source} ${lane} ${messageId} ${state}`);
      const expected = asked
        .filter(({ regulation }) => effectsOf(regulation).notifies)
        .flatMap(({ id, users, sources }) =>
          users.flatMap((_, nth) =>
            sources.flatMap((source) =>
              (TOLD[source] ?? []).map((lane) => `${source} ${lane} ${noticeId(id, nth)} delivered`),
            ),
          ),
        );
      expect(notices.sort()).toEqual(expected.sort());
      for (const { id } of asked) expect(await rig.answer(rig.relay().deletion(id))).toHaveProperty("finishedAt");
    });
  });

  it("a suppressed user's calls leave nothing, and all other calls are accepted", async () => {
    await holds(async ({ rig, sent }, records) => {
      for (const { receipt, wasSuppressed, messageId } of sent) {
        expect(receipt).toBe(wasSuppressed ? "suppressed" : "accepted");
        if (wasSuppressed) expect(records.filter((record) => record.messageId === messageId)).toEqual([]);
      }
      const { suppressed } = await rig.answer(rig.relay().stats());
      expect(suppressed).toBe(sent.filter(({ wasSuppressed }) => wasSuppressed).length);
    });
  });

  it("accepted = filtered + waiting + claimed + delivered + dead, at every step", async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        await live(one, async (rig) => {
          expect(countsBalance(await rig.answer(rig.relay().stats()))).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });
});
