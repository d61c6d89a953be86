// Reservations in lanes: whatever a store does with messages, those that are not stored have released theirs.

import type {
  AcceptResult,
  Body,
  DeliveryId,
  DestinationId,
  EpochMs,
  LeaseToken,
  MonoMs,
  NewMessage,
  SourceId,
} from "@postrider/core";
import { MAX_IN_FLIGHT } from "@postrider/core/engine";
import { createManualClock, createSeededRandom } from "@postrider/memory";
import fc from "fast-check";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { createLanes, type Lanes } from "../../../packages/relay/src/lanes/lanes.js";
import { createHandOff } from "../../../packages/relay/src/dispatch/claim.js";
import { enqueue, type EnqueueContext, enqueueLarge } from "../../../packages/relay/src/intake/enqueue.js";
import type { Draft } from "../../../packages/relay/src/intake/reserve.js";

const LANES = ["a", "b", "c"] as DestinationId[];
const KINDS = ["stored", "duplicate", "suppressed", "outdated"] as const;

interface Sent {
  readonly bytes: number;
  readonly lanes: readonly DestinationId[];
  readonly becomes: (typeof KINDS)[number];
}

interface Batch {
  readonly sent: readonly Sent[];
  readonly fails: boolean;
  readonly isLarge: boolean;
}

const anyBatches: fc.Arbitrary<readonly Batch[]> = fc.array(
  fc.record({
    sent: fc.array(
      fc.record({
        bytes: fc.integer({ min: 1, max: 40 }),
        lanes: fc.subarray(LANES),
        becomes: fc.constantFrom(...KINDS),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    fails: fc.boolean(),
    isLarge: fc.boolean(),
  }),
  { maxLength: 12 },
);

describe("enqueue", () => {
  it("keeps slots only for the messages that were stored", () =>
    fc.assert(
      fc.asyncProperty(anyBatches, async (batches) => {
        const desk = createDesk();
        for (const batch of batches) await desk.enqueue(batch);
        expect(desk.taken()).toEqual(desk.kept());
      }),
    ));

  it("takes the slots before the store has answered", async () => {
    const desk = createDesk();
    const item = { bytes: 7, lanes: LANES, becomes: "stored" as const };
    const pending = desk.enqueue({ sent: [item], fails: true, isLarge: false });
    expect(desk.taken()).toEqual({ a: [1, 7, 1], b: [1, 7, 1], c: [1, 7, 1], inFlight: 3 });
    await pending;
    expect(desk.taken()).toEqual({ a: [0, 0, 0], b: [0, 0, 0], c: [0, 0, 0], inFlight: 0 });
  });
});

/** By lane: deliveries, bytes, and slots; then the slots of all lanes. */
type Counts = Readonly<Record<string, readonly number[] | number>>;

/** Lanes of five deliveries and 100 bytes at most, with a scripted store. */
function createDesk(): {
  enqueue(batch: Batch): Promise<void>;
  taken(): Counts;
  kept(): Counts;
} {
  const clock = createManualClock();
  const settings = { isOpen: () => true, destination: () => undefined };
  const lanes: Lanes = createLanes({ clock, random: createSeededRandom(1), settings });
  const handOff = createHandOff(lanes);
  const storedDeliveries: NewMessage["deliveries"][number][] = [];
  const bytes = new Map<DestinationId, number>();
  let current: Batch | undefined;
  let handedOn = 0;
  handOff.open(() => (handedOn += 1));

  function keep({ body, deliveries }: NewMessage): AcceptResult {
    for (const delivery of deliveries) {
      if (delivery.start.kind === "dead") continue;
      storedDeliveries.push(delivery);
      bytes.set(delivery.destination, (bytes.get(delivery.destination) ?? 0) + body.length);
    }
    return { kind: "stored", deliveries: deliveries.map(({ destination }) => destination as string as DeliveryId) };
  }

  const context: EnqueueContext = {
    ...{ clock, lanes, handOff, emit: () => undefined, wake: () => undefined },
    laneBounds: { maxDeliveries: 5, maxBytes: 100 },
    commits: {
      write: ({ accept = [] }) => {
        if (current === undefined || current.fails) return errAsync({ code: "busy" });
        const { sent } = current;
        const accepted = accept.map((message, index): AcceptResult => {
          const kind = sent[index]?.becomes ?? "duplicate";
          return kind === "stored" ? keep(message) : { kind };
        });
        const lease = { token: "t" as LeaseToken, until: 0 as EpochMs, endsAt: 0 as MonoMs };
        return okAsync({ accepted, replayed: [], settled: [], appended: [], lease });
      },
    },
  };

  const underWay = (lane: DestinationId): number =>
    storedDeliveries.filter(({ destination, start }) => destination === lane && start.kind === "claimed").length;

  return {
    enqueue: async (batch): Promise<void> => {
      current = batch;
      const drafts = batch.sent.map(draftOf);
      const [first] = drafts;
      const large = { ...context, nextSlice: () => Promise.resolve() };
      const result =
        batch.isLarge && first !== undefined ? await enqueueLarge(large, first) : await enqueue(context, drafts);
      expect(result.isOk()).toBe(!batch.fails);
    },
    taken: () => ({
      ...Object.fromEntries(
        LANES.map((id) => [id, [lanes.lane(id).deliveries, lanes.lane(id).bytes, lanes.lane(id).inFlight]]),
      ),
      inFlight: MAX_IN_FLIGHT - lanes.freeSlots(),
    }),
    kept: () => ({
      ...Object.fromEntries(
        LANES.map((id) => [
          id,
          [storedDeliveries.filter(({ destination }) => destination === id).length, bytes.get(id) ?? 0, underWay(id)],
        ]),
      ),
      inFlight: handedOn,
    }),
  };
}

function draftOf({ bytes, lanes }: Sent): Draft {
  const message: Draft["message"] = {
    source: "website" as SourceId,
    messageId: "m",
    type: "track",
    receivedAt: 0 as EpochMs,
    body: new Uint8Array(bytes) as Body,
    filtered: [],
  };
  return { message, destinations: lanes };
}
