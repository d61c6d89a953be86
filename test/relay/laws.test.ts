// The laws of delivery over long random runs: random receivers, crashes, settings that change, and an oracle that compares
// what receivers got with what the store holds. Windows are short, so that a run takes minutes of virtual time.

import type { AttemptRecord, DeliveryRecord } from "@postrider/core";
import { countsBalance, PROBE_MAX_MS } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Behaviour, type Rig, createRig, destination, type Receiver, track } from "./rig.js";

const POLICY = { timeoutMs: 1_000, retryWindowMs: 30_000, firstRetryMs: 200, maxRetryMs: 3_000, leaseMs: 6_000 };
/** Enough for windows that begin late because a receiver asked for holds repeatedly. */
const LIFE_MS = 8 * POLICY.retryWindowMs;
/** In a held lane, each of sixty deliveries may wait for a separate probe. */
const PROBES_MS = 60 * 1.25 * PROBE_MAX_MS;

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200, 204, 404, 410, 422, 429, 500, 503).map((status) => ({ status })) },
  { weight: 1, arbitrary: fc.constantFrom("1", "20", "soon").map((retryAfter) => ({ status: 503, retryAfter })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("connection-refused", "dns", "self-signed", "local").map((fault) => ({ fault })),
  },
  { weight: 1, arbitrary: fc.constant("silent" as const) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_200 }).map((afterMs) => ({ status: 200, afterMs })) },
);

/** Answers by its list, in order, then again from the start. */
const receiver: fc.Arbitrary<readonly Behaviour[]> = fc.array(behaviour, { minLength: 1, maxLength: 6 });

type Step =
  | { readonly kind: "accept"; readonly calls: number }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "crash" }
  | { readonly kind: "pause" | "resume" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }).map((calls) => ({ kind: "accept" as const, calls })) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 8_000 }).map((ms) => ({ kind: "advance" as const, ms })) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
  { weight: 1, arbitrary: fc.constantFrom("pause", "resume").map((kind) => ({ kind })) },
);

interface Life {
  readonly receivers: readonly (readonly Behaviour[])[];
  readonly steps: readonly Step[];
  readonly seed: number;
}

const life: fc.Arbitrary<Life> = fc.record({
  receivers: fc.array(receiver, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  seed: fc.integer(),
});

const NAMES = ["a", "b", "c"];

/** Runs a random life of a relay to its end, with a check after each step. */
async function live({ receivers, steps, seed }: Life, look: (rig: Rig) => Promise<void>): Promise<Rig> {
  const names = receivers.map((_, index) => NAMES[index] ?? "");
  const rig = createRig({
    receivers: Object.fromEntries(receivers.map((list, index) => [NAMES[index] ?? "", inTurn(list)])),
    destinations: [destination("crm", names), destination("mail", names.slice(0, 1), { name: "Mail" })],
    delivery: POLICY,
    seed,
  });
  let sentCount = 0;
  for (const step of steps) {
    sentCount = await take(rig, step, sentCount, names);
    await look(rig);
  }
  await take(rig, { kind: "resume" }, sentCount, names);
  await rig.advance(LIFE_MS);
  for (let waitedMs = 0; waitedMs < PROBES_MS && (await isUnfinished(rig)); waitedMs += 5 * PROBE_MAX_MS) {
    await rig.advance(5 * PROBE_MAX_MS);
  }
  await look(rig);
  return rig;
}

async function isUnfinished(rig: Rig): Promise<boolean> {
  return (await rig.all()).some(({ state }) => state === "waiting" || state === "claimed");
}

async function take(rig: Rig, one: Step, sent: number, names: readonly string[]): Promise<number> {
  switch (one.kind) {
    case "accept":
      await rig.accept(
        ...Array.from({ length: one.calls }, (_, index) => track({ messageId: `m${String(sent + index)}` })),
      );
      return sent + one.calls;
    case "advance":
      await rig.advance(one.ms);
      return sent;
    case "crash":
      rig.crash();
      rig.restart();
      return sent;
    case "pause":
    case "resume":
      rig
        .relay()
        .configure(
          rig.workspace([
            destination("crm", names, { paused: one.kind === "pause" }),
            destination("mail", names.slice(0, 1), { name: "Mail" }),
          ]),
        )
        ._unsafeUnwrap();
      return sent;
  }
}

function inTurn(list: readonly Behaviour[]): Receiver {
  return ({ nth }) => list[(nth - 1) % list.length] ?? "silent";
}

function messageIdOf(body: string): unknown {
  return (JSON.parse(body) as Record<string, unknown>)["messageId"];
}

function statusOf({ result }: AttemptRecord): number | undefined {
  return result.kind === "answered" ? result.status : undefined;
}

async function holds(
  check: (rig: Rig, records: readonly DeliveryRecord[]) => void,
  lives: fc.Arbitrary<Life> = life,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(lives, async (one) => {
      const rig = await live(one, () => Promise.resolve());
      check(rig, await rig.all());
    }),
    { numRuns: 60 },
  );
}

const withoutCrash = life.map((one) => ({ ...one, steps: one.steps.filter(({ kind }) => kind !== "crash") }));

describe("over any life of a relay", () => {
  it("accepted = filtered + waiting + claimed + delivered + dead, at every step", async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        await live(one, async (rig) => {
          expect(countsBalance((await rig.relay().stats())._unsafeUnwrap())).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });

  it("every delivery finishes, and none without an attempt", async () => {
    await holds((_, records) => {
      for (const record of records) {
        const isAllLocal = record.state === "waiting" || record.state === "claimed";
        // Local faults use no window: such a delivery is tried without end.
        if (isAllLocal) expect(record.attempts).toEqual([]);
        else expect(record.attempts.length).toBeGreaterThan(0);
      }
    });
  });

  it("delivered means that an attempt succeeded, dead that none did", async () => {
    await holds((_, records) => {
      for (const record of records) {
        const succeeded = record.attempts.filter((attempt) => attempt.verdict === "success");
        if (record.state === "delivered") expect(succeeded.length).toBeGreaterThan(0);
        if (record.state === "dead") expect(succeeded).toEqual([]);
      }
    });
  });

  it("a final state stays final", async () => {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        const finals = new Map<string, string>();
        await live(one, async (rig) => {
          for (const { id, state } of await rig.all()) {
            expect(finals.get(id) ?? state).toBe(state);
            if (state === "delivered" || state === "dead") finals.set(id, state);
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it("no recorded attempt starts later than the window after the first", async () => {
    await holds(
      (_, records) => {
        for (const { attempts } of records) {
          const starts = attempts.map((attempt) => attempt.startedAt);
          expect(Math.max(...starts) - Math.min(...starts)).toBeLessThanOrEqual(POLICY.retryWindowMs);
        }
      },
      life.filter(({ steps }) => steps.some(({ kind }) => kind === "accept")),
    );
  });

  it("after a recorded success no request of that delivery starts, and none to an endpoint that has refused it for good", async () => {
    await holds((rig, records) => {
      // Only the lane that has all endpoints; the other lane shares the first endpoint.
      for (const { messageId, attempts, endpoints, destination: lane } of records.filter(
        (record) => record.destination === "crm",
      )) {
        const ends = attempts
          .filter(({ verdict }) => verdict === "success")
          .map((one) => one.startedAt + one.durationMs);
        const isFinal = new Set(endpoints.filter(({ refused }) => refused).map(({ endpoint }) => endpoint));
        // The latest attempt of each endpoint comes last.
        const refusals = new Map(
          attempts
            .filter(({ endpoint }) => isFinal.has(endpoint))
            .map((one) => [one.endpoint as string, one.startedAt + one.durationMs]),
        );
        const requests = rig.seen.filter((one) => messageIdOf(one.body) === messageId && !one.url.includes("//a."));
        for (const request of requests) {
          expect(request.at, `${lane} ${messageId}`).toBeLessThanOrEqual(Math.min(...ends));
          expect(request.at).toBeLessThanOrEqual(refusals.get(request.url) ?? Infinity);
        }
      }
    });
  });

  it("an endpoint that has refused a delivery for good has refused it twice in a row, or its body", async () => {
    await holds((_, records) => {
      for (const { attempts, endpoints } of records) {
        for (const { endpoint } of endpoints.filter(({ refused }) => refused)) {
          const latest = attempts.filter((one) => one.endpoint === endpoint).slice(-2);
          const isOfBody = latest.length > 0 && statusOf(latest.at(-1)!) === 422;
          const isRefusedTwice = latest.length === 2 && latest.every(({ verdict }) => verdict === "refused");
          expect(isOfBody || isRefusedTwice).toBe(true);
        }
      }
    });
  });

  it("a delivery is dead as refused only if each endpoint refused it when it was last asked", async () => {
    await holds((rig, records) => {
      for (const { attempts, destination: lane } of records.filter(({ reason }) => reason === "refused")) {
        const { endpoints } = rig
          .relay()
          .workspace()
          .destinations.find(({ id }) => id === lane)!;
        const last = endpoints.map(({ url }) => attempts.findLast(({ endpoint }) => endpoint === url)?.verdict);
        expect(last).toEqual(endpoints.map(() => "refused"));
      }
    });
  });

  it("every request of a message carries the same bytes", async () => {
    await holds((rig) => {
      const bodies = new Map<unknown, string>();
      for (const { body } of rig.seen) {
        const id = messageIdOf(body);
        expect(bodies.get(id) ?? body).toBe(body);
        bodies.set(id, body);
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }
    });
  });

  it("without a crash and without local faults, every request has its record", async () => {
    await holds(
      (rig, records) => {
        const recorded = records.reduce((sum, record) => sum + record.attempts.length, 0);
        expect(recorded).toBe(rig.seen.length);
      },
      withoutCrash.filter(
        ({ receivers }) =>
          !receivers.flat().some((one) => typeof one === "object" && "fault" in one && one.fault === "local"),
      ),
    );
  });

  it("in each round an endpoint gets one request", async () => {
    await holds((_, records) => {
      for (const { attempts } of records) {
        const attemptKeys = attempts.map(({ round, endpoint }) => `${String(round)} ${endpoint}`);
        expect(new Set(attemptKeys).size).toBe(attemptKeys.length);
      }
    });
  });
});
