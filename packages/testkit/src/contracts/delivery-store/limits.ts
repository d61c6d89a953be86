// Cases of bodies, excerpts, numbers and instants at the edges that core publishes, and at those of 32-bit integers and
// of doubles.

import {
  type Body,
  type DeliveryId,
  type EndpointState,
  MAX_CALL_BYTES,
  MAX_ENDPOINTS_PER_DESTINATION,
  MAX_EXCERPT_BYTES,
  epochMs,
  type Outcome,
} from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { attempt, endpoint, rescheduledOutcome, DELIVERED, releasedOutcome, waitingDelivery } from "./samples.js";
import type { StoreCase } from "./scene.js";
import { deletionScene } from "./users.js";
import { listAll } from "./pages.js";

/** Whole numbers around the limits of integers of 8, 16 and 32 bits, and of doubles. */
const NUMBERS = [0, 1, 255, 32_768, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 52 + 1, Number.MAX_SAFE_INTEGER];

/** A message is its call with a few fields more, so that its body may be somewhat longer than the longest call. */
const BODY_BYTES = [1, 255, 256, 4_096, MAX_CALL_BYTES - 1, MAX_CALL_BYTES, MAX_CALL_BYTES + 1, 4 * MAX_CALL_BYTES];

export const VALUE_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "a body of any length comes back whole: from one byte to beyond that of the largest call",
    async play(scene) {
      for (const length of BODY_BYTES) {
        const body = patternOf(length) as Body;
        const id = await scene.acceptOne({ body });
        expectEqual((await scene.record(id)).body, body, `a body of ${String(length)} bytes as found`);
        expectEqual((await scene.claimOne()).body, body, `a body of ${String(length)} bytes as claimed`);
      }
    },
  },
  {
    name: "as many endpoints as a destination may have keep their excerpts of 4,096 bytes, and an empty one",
    async play(scene) {
      const endpoints = Array.from({ length: MAX_ENDPOINTS_PER_DESTINATION }, (_, index): EndpointState => {
        const excerpt = index === 0 ? new Uint8Array() : patternOf(MAX_EXCERPT_BYTES, index);
        return { endpoint: endpoint(`e${String(index)}`), refused: index % 2 === 0, excerpt };
      });
      const id = await scene.finish(rescheduledOutcome(scene.now()), { endpoints, attempts: [attempt(scene.now())] });
      const byEndpoint = (states: readonly EndpointState[]): readonly EndpointState[] =>
        states.toSorted((first, second) => (first.endpoint < second.endpoint ? -1 : 1));
      expectEqual(byEndpoint((await scene.record(id)).endpoints), endpoints, "the endpoints as found");
      expectEqual(byEndpoint((await scene.claimOne()).endpoints), endpoints, "the endpoints as claimed");
    },
  },
  {
    name: "a duration and a round of any whole number come back as they were, of late attempts too",
    async play(scene) {
      const attempts = NUMBERS.map((number, index) => {
        const fields = { durationMs: number, round: Math.max(1, number), endpoint: endpoint(`e${String(index)}`) };
        return attempt(scene.later(index), fields);
      });
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts });
      expectEqual((await scene.record(id)).attempts, attempts, "the attempts");
      const lateId = await scene.finish(DELIVERED);
      await scene.commit({ append: attempts.map((lateAttempt) => ({ id: lateId, attempt: lateAttempt })) });
      expectEqual((await scene.record(lateId)).attempts, attempts, "the late attempts");
    },
  },
  {
    name: "an empty detail is a detail: of each outcome, after another one, and in a list",
    async play(scene) {
      const outcomes: readonly Outcome[] = [
        { kind: "delivered", detail: "" },
        { kind: "dead", reason: "expired", detail: "" },
        rescheduledOutcome(scene.later(900_000), ""),
      ];
      const ids: DeliveryId[] = [];
      for (const outcome of outcomes) {
        const id = await scene.finish(rescheduledOutcome(scene.now(), "503"));
        await scene.claimOne();
        await scene.settle({ id, outcome });
        expectEqual((await scene.record(id)).detail, "", `the detail of what is ${outcome.kind}`);
        ids.push(id);
      }
      const { deliveries } = await scene.store().list({ source: scene.source, details: [""], limit: 9 });
      expectEqual(
        deliveries.map(({ id }) => id),
        ids.toReversed(),
        "what is listed by the empty detail",
      );
    },
  },
  {
    name: "counts are added up beyond 32 bits",
    async play(scene) {
      const { source } = scene;
      const most = Number.MAX_SAFE_INTEGER - 2 ** 32;
      await scene.commit({ tally: [{ source, refused: 2 ** 31, suppressed: most, shed: 2 ** 32 - 1 }] });
      await scene.commit({ tally: [{ source, refused: 2 ** 31, suppressed: 2 ** 32, shed: 1 }] });
      const expected = { refused: 2 ** 32, suppressed: Number.MAX_SAFE_INTEGER, shed: 2 ** 32 };
      await scene.expectCounts(expected, "after two tallies");
    },
  },
];

/** Bytes that are no text, and differ from place to place. */
function patternOf(length: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 167 + (index >> 8) + seed) % 256);
}

/** Instants in 1970, beyond 32 bits of seconds, beyond what `Date` can hold, and one that a float of seconds rounds. */
const INSTANTS = [0, 1, 2 ** 31, 2 ** 32, 1_767_225_600_123, 4_294_967_296_001, 2 ** 53 - 2].map((ms) => epochMs(ms));

export const INSTANT_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "an instant comes back to the millisecond: when it was accepted, when it is due",
    async play(scene) {
      for (const instant of INSTANTS) {
        const id = await scene.acceptOne({ receivedAt: instant, deliveries: [waitingDelivery(scene.lane, instant)] });
        const { acceptedAt, dueAt } = await scene.record(id);
        expectEqual({ acceptedAt, dueAt }, { acceptedAt: instant, dueAt: instant }, "a new delivery");
        const acceptedDeliveries = await listAll(scene, {
          acceptedSince: instant,
          acceptedBefore: epochMs(instant + 1),
        });
        expectEqual(
          acceptedDeliveries.map((delivery) => delivery.id),
          [id],
          "what was accepted within that millisecond",
        );
      }
      const dueInstants = INSTANTS.filter((instant) => instant <= scene.now());
      const claimedDeliveries = (await scene.claim({ limit: INSTANTS.length })).deliveries;
      expectEqual(
        claimedDeliveries.map(({ dueAt, acceptedAt }) => [dueAt, acceptedAt]),
        dueInstants.map((instant) => [instant, instant]),
        "when what is claimed was due and accepted",
      );
    },
  },
  {
    name: "an instant comes back to the millisecond: when an attempt started, when a round is due again",
    async play(scene) {
      const attempts = INSTANTS.map((startedAt, index) =>
        attempt(startedAt, { endpoint: endpoint(`e${String(index)}`) }),
      );
      for (const dueAt of INSTANTS) {
        const rescheduledId = await scene.finish(rescheduledOutcome(dueAt), { attempts });
        const releasedId = await scene.finish(releasedOutcome(dueAt));
        expectEqual((await scene.record(rescheduledId)).attempts, attempts, "the attempts");
        expectEqual((await scene.record(rescheduledId)).dueAt, dueAt, "when a rescheduled delivery is due");
        expectEqual((await scene.record(releasedId)).dueAt, dueAt, "when a released delivery is due");
      }
      const of = await scene.finish(DELIVERED);
      await scene.commit({ append: attempts.map((lateAttempt) => ({ id: of, attempt: lateAttempt })) });
      expectEqual((await scene.record(of)).attempts, attempts, "the late attempts");
      const { replayed } = await scene.commit({
        replay: INSTANTS.map((dueAt) => ({ of, start: { kind: "waiting", dueAt } })),
      });
      const replays = await Promise.all(replayed.map((id) => scene.record(expectPresent(id, "the id of a replay"))));
      expectEqual(
        replays.map(({ dueAt }) => dueAt),
        INSTANTS,
        "when the replays are due",
      );
    },
  },
  {
    name: "a lease of any length ends when it ends",
    async play(scene) {
      for (const leaseMs of [1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 52]) {
        const id = await scene.acceptOne();
        const request = { token: scene.token(String(leaseMs)), leaseMs, lanes: [{ lane: scene.lane, limit: 1 }] };
        const { deliveries } = await scene.store().claim(request, scene.now());
        expectEqual(
          deliveries.map(({ leaseUntil }) => leaseUntil),
          [scene.later(leaseMs)],
          "the end of a lease",
        );
        expectEqual((await scene.record(id)).dueAt, scene.later(leaseMs), "the end of the lease as found");
        await scene.settle({ id, token: request.token, outcome: DELIVERED });
      }
    },
  },
  {
    name: "a message takes any number of requests into account",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      const accept = [0, Number.MAX_SAFE_INTEGER].map((asOf) => scene.message({ asOf }));
      const { accepted } = await scene.commit({ accept });
      expectEqual(
        accepted.map(({ kind }) => kind),
        ["outdated", "stored"],
        "the answers",
      );
    },
  },
];
