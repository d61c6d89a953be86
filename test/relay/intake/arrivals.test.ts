// The law of arrivals: whatever their size, their calls and the store do, each call has one receipt, in its place; the events
// and the counts tell the same; and what is stored was written in the largest slices that the bounds allow.

import type { Changes, DeliveryStore, Receipt } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SHED_RETRY_MS, SLICE_CALLS, SLICE_UNITS } from "../../../packages/relay/src/limits.js";
import { createRig, destination, type Rig, storeError, WEBSITE } from "../rig.js";
import "../../property.js";

const CODES = ["busy", "full", "unavailable", "corrupt"] as const;
type Code = (typeof CODES)[number];

/** A call that is new, that repeats the first call of its arrival, or that is refused. */
type Sent = "new" | "again" | "refused";

interface Scene {
  readonly destinations: number;
  readonly sent: readonly Sent[];
  /** The code with which the store rejects, and the first commit of calls that it rejects. */
  readonly fault: { readonly code: Code; readonly from: number } | undefined;
  readonly isBrief: boolean;
}

const anySent = (max: number): fc.Arbitrary<readonly Sent[]> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom<Sent>("new", "new", "again", "refused"),
        fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(SLICE_CALLS - 1, SLICE_CALLS, SLICE_CALLS + 1)),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((runs) => runs.flatMap(([one, times]) => Array.from({ length: times }, () => one)).slice(0, max));

const anyScene: fc.Arbitrary<Scene> = fc
  .constantFrom<readonly [destinations: number, calls: number]>(
    [1, 600],
    [SLICE_UNITS / 2, 5],
    [SLICE_UNITS / 2 + 1, 3],
    [SLICE_UNITS, 3],
    [SLICE_UNITS + 1, 3],
  )
  .chain(([destinations, calls]) =>
    fc.record({
      destinations: fc.constant(destinations),
      sent: anySent(calls),
      fault: fc.option(fc.record({ code: fc.constantFrom(...CODES), from: fc.integer({ min: 1, max: 3 }) }), {
        nil: undefined,
      }),
      isBrief: fc.boolean(),
    }),
  );

interface Desk extends Rig {
  readonly commits: readonly Changes[];
}

function openDesk({ destinations, fault }: Scene): Desk {
  const commits: Changes[] = [];
  const wrapStore = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: (changes, now) => {
      if (changes.accept.length === 0) return store.commit(changes, now);
      if (fault !== undefined && commits.length + 1 >= fault.from) return Promise.reject(storeError(fault.code));
      commits.push(changes);
      return store.commit(changes, now);
    },
  });
  const lanes = Array.from({ length: destinations }, (_, index) => destination(`crm${String(index)}`, ["a"]));
  return { ...createRig({ wrapStore, destinations: lanes }), commits };
}

function callsOf({ sent }: Scene): readonly unknown[] {
  return sent.map((one, index) => {
    if (one === "refused") return { type: "page" };
    return { type: "page", userId: "u", messageId: one === "new" ? `m${String(index)}` : "again" };
  });
}

/** The number of calls in each commit if no store fails: as many as fit, refused ones included. */
function slicesOf({ destinations, sent }: Scene): readonly number[] {
  const slices: { calls: number; drafts: number }[] = [];
  let last = { calls: SLICE_CALLS, drafts: 0 };
  for (const call of sent) {
    const drafts = call === "refused" ? 0 : 1;
    const isFull = last.calls === SLICE_CALLS || (drafts > 0 && (last.drafts + 1) * destinations > SLICE_UNITS);
    // A call with more deliveries than a slice may have is a slice by itself.
    const isLarge = drafts * destinations > SLICE_UNITS;
    if (isFull || isLarge) slices.push((last = { calls: 0, drafts: 0 }));
    last.calls += 1;
    last.drafts += drafts;
    if (isLarge) last = { calls: SLICE_CALLS, drafts: 0 };
  }
  return slices.map(({ drafts }) => drafts).filter((drafts) => drafts > 0);
}

function countKinds(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts = { accepted: 0, duplicate: 0, refused: 0, shed: 0 };
  for (const kind of kinds) counts[kind as keyof typeof counts] += 1;
  return counts;
}

function eventsOf({ events }: Rig): Readonly<Record<string, number>> {
  return countKinds(
    events.flatMap((event) => {
      if (event.kind === "shed") return Array.from({ length: event.calls }, () => "shed");
      return ["accepted", "duplicate", "refused"].includes(event.kind) ? [event.kind] : [];
    }),
  );
}

/** Expects the right receipt for its call. */
function expectReceipt(scene: Scene, answeredAt: number, [index, receipt]: readonly [number, Receipt]): void {
  const call = scene.sent[index];
  switch (receipt.kind) {
    case "accepted":
      expect(receipt.messageId).toBe(call === "new" ? `m${String(index)}` : "again");
      expect(receipt.deliveries).toHaveLength(scene.isBrief ? 0 : scene.destinations);
      return;
    case "duplicate":
      expect([call, receipt.messageId]).toEqual(["again", "again"]);
      return;
    case "refused":
      expect([call, receipt.refusal.code]).toEqual(["refused", "no-ids"]);
      return;
    case "shed":
      expect(receipt.retryAt).toBe(answeredAt + SHED_RETRY_MS);
      return;
    case "suppressed":
      throw new Error("no user is suppressed");
  }
}

describe("an arrival", () => {
  it("has one receipt for each call, events and counts that tell the same, and the largest slices", async () => {
    await fc.assert(
      fc.asyncProperty(anyScene, async (scene) => {
        const desk = openDesk(scene);
        const { isBrief, fault, sent } = scene;
        let answeredAt = 0;
        const answer = desk.relay().accept({ source: WEBSITE, calls: callsOf(scene), isBrief });
        void answer.then(() => (answeredAt = desk.clock.wall()));
        // A busy store is asked again a few times.
        await desk.advance(1_000);
        const result = await answer;
        const commitSizes = desk.commits.map(({ accept }) => accept.length);
        expect(commitSizes).toEqual(slicesOf(scene).slice(0, fault === undefined ? Infinity : fault.from - 1));
        const events = eventsOf(desk);
        if (result.isErr()) {
          expect(result.error).toEqual({ code: fault?.code });
          expect(["unavailable", "corrupt"]).toContain(fault?.code);
          expect(events["shed"]).toBe(0);
          return;
        }
        expect(result.value).toHaveLength(sent.length);
        expect(events).toEqual(countKinds(result.value.map(({ kind }) => kind)));
        if (fault === undefined) expect(events["shed"]).toBe(0);
        for (const entry of result.value.entries()) expectReceipt(scene, answeredAt, entry);
        const { refused, shed, accepted } = events;
        expect(await desk.answer(desk.relay().stats())).toMatchObject({ refused, shed });
        expect(await desk.all()).toHaveLength((accepted ?? 0) * scene.destinations);
      }),
    );
  });
});
