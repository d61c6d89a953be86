// Laws of a client, whatever is called in whatever order against whatever server.

import { type FailedCall } from "@postrider/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLUSH_TIMEOUT_MS } from "../../packages/client/src/limits.js";
import { answer, createRig, idsOf, type Reaction } from "./rig.js";

type Step =
  | { readonly kind: "track"; readonly calls: number; readonly bytes: number }
  | { readonly kind: "flush" }
  | { readonly kind: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("track" as const), calls: fc.nat(60), bytes: fc.nat(33_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "flush" as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(20_000) }) },
);

const reaction: fc.Arbitrary<() => Reaction> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(() => answer(200)) },
  { weight: 1, arbitrary: fc.constantFrom(500, 503, 408, 429).map((status) => () => answer(status)) },
  { weight: 1, arbitrary: fc.nat(40).map((s) => () => answer(429, null, { "retry-after": String(s) })) },
  { weight: 1, arbitrary: fc.constantFrom<Reaction>("reset", "silent").map((kind) => () => kind) },
  { weight: 1, arbitrary: fc.nat(60).map((index) => () => answer(200, { rejected: [{ index, code: "no-event" }] })) },
  { weight: 1, arbitrary: fc.constant(() => answer(400)) },
);

const settings = fc.record({
  flushAt: fc.integer({ min: 1, max: 50 }),
  maxInFlight: fc.integer({ min: 1, max: 4 }),
  maxRetries: fc.nat(3),
  maxQueued: fc.record({ calls: fc.integer({ min: 1, max: 200 }), bytes: fc.integer({ min: 32_768, max: 2_000_000 }) }),
  closeTimeoutMs: fc.constantFrom(0, 1_000, 60_000),
});

describe("a client, whatever happens", () => {
  it("ends each call once, keeps order and limits, flushes all that came before, and reports exactly the rest", async () => {
    await fc.assert(
      fc.asyncProperty(settings, fc.array(step, { maxLength: 25 }), fc.array(reaction, { minLength: 1 }), live),
      { numRuns: Number(process.env["POSTRIDER_RUNS"] ?? 100) },
    );
  });
});

async function live(
  options: Exclude<Parameters<typeof createRig>[1], undefined>,
  steps: readonly Step[],
  reactions: readonly (() => Reaction)[],
): Promise<void> {
  const rig = createRig((_, index) => reactions[index % reactions.length]!(), options);
  const { client, clock, sent, delivered } = rig;
  const queuedOnly = (isQueued: boolean): readonly FailedCall[] =>
    rig.failed.filter(({ reason }) => (reason !== "not-queued") === isQueued);
  let refused = 0;
  const queued: string[] = [];
  const flushes: Promise<void>[] = [];
  const ended = (): ReadonlySet<string> => new Set([...idsOf(delivered), ...idsOf(queuedOnly(true))]);

  for (const action of steps) {
    if (action.kind === "wait") await clock.advance(action.ms);
    if (action.kind === "track") {
      const ids = rig.track(action.calls, { properties: { text: "é".repeat(action.bytes / 2) } });
      queued.push(...ids.filter(Boolean));
      refused += ids.filter((id) => id === "").length;
      expect(queued.length - ended().size).toBeLessThanOrEqual(options.maxQueued!.calls!);
    }
    if (action.kind === "flush") {
      const before = [...queued];
      const begun = clock.monotonic();
      flushes.push(
        client.flush().then(({ pending }) => {
          // A close that ran out of time ends them too.
          expect(before.filter((id) => !ended().has(id))).toHaveLength(pending);
          if (pending > 0) expect(clock.monotonic() - begun).toBe(FLUSH_TIMEOUT_MS);
        }),
      );
    }
  }
  const atClose = ended();
  const closing = client.close();
  await clock.advance(1_000_000);
  const { undelivered } = await closing;
  await Promise.all(flushes);

  const ends = [...idsOf(delivered), ...idsOf(queuedOnly(true))];
  expect(queuedOnly(false)).toHaveLength(refused);
  expect(ends.toSorted()).toEqual(queued.toSorted());
  expect(new Set(ends).size).toBe(ends.length);
  expect(idsOf(undelivered)).toEqual(idsOf(queuedOnly(true).filter(({ messageId }) => !atClose.has(messageId))));
  expect(clock.nextTimerAt()).toBeUndefined();

  const place = new Map(queued.map((id, index) => [id, index]));
  for (const { batch, request } of sent) {
    const places = idsOf(batch).map((id) => place.get(id)!);
    expect(places).toEqual(places.map((_, index) => places[0]! + index));
    expect(batch.length).toBeLessThanOrEqual(options.flushAt!);
    expect(Buffer.byteLength(request.body as string)).toBeLessThanOrEqual(500_000);
  }
}
