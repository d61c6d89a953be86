// A store returns the bytes and ids that it was given, and keeps no array that a caller can change.

import { expectEqual } from "../check.js";
import { attempt, endpointState, everyByteValue, rescheduledOutcome } from "./samples.js";
import type { StoreCase } from "./scene.js";

export const CARRYING_CASES: readonly StoreCase[] = [
  {
    name: "a body comes back byte for byte, from a claim and from a look-up",
    async play(scene) {
      const id = await scene.acceptOne({ body: everyByteValue() });
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body as claimed");
    },
  },
  {
    name: "a body changed by its caller after the commit stays as it was stored",
    async play(scene) {
      const body = everyByteValue();
      const id = await scene.acceptOne({ body });
      body.fill(0);
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body as claimed");
    },
  },
  {
    name: "a body changed after a claim or a look-up stays as it was stored",
    async play(scene) {
      const id = await scene.acceptOne({ body: everyByteValue() });
      (await scene.claimOne()).body.fill(1);
      (await scene.record(id)).body?.fill(2);
      expectEqual((await scene.record(id)).body, everyByteValue(), "the body as found");
    },
  },
  {
    name: "two deliveries of a message carry the same bytes",
    async play(scene) {
      const deliveries = [scene.lane, scene.otherLane].map(
        (destination) => ({ destination, start: { kind: "waiting", dueAt: scene.now() } }) as const,
      );
      await scene.accept({ body: everyByteValue(), deliveries });
      expectEqual((await scene.claimOne()).body, everyByteValue(), "the body of one");
      expectEqual((await scene.claimOne({ lane: scene.otherLane })).body, everyByteValue(), "the body of the other");
    },
  },
  {
    name: "an excerpt of an answer comes back byte for byte, even if a copy of it was changed",
    async play(scene) {
      const excerpt: Uint8Array = everyByteValue();
      await scene.acceptOne();
      const { id } = await scene.claimOne();
      const endpoints = [endpointState("a", false, excerpt)];
      const outcome = rescheduledOutcome(scene.now());
      await scene.settle({ id, outcome, attempts: [attempt(scene.now())], endpoints });
      excerpt.fill(0);
      (await scene.record(id)).endpoints[0]?.excerpt?.fill(1);
      expectEqual((await scene.record(id)).endpoints[0]?.excerpt, everyByteValue(), "the excerpt as found");
      expectEqual((await scene.claimOne()).endpoints[0]?.excerpt, everyByteValue(), "the excerpt as claimed");
    },
  },
];
