// Bodies, excerpts, numbers and instants at the edges that core publishes, and at those of 32-bit integers and of doubles.

import {
  type Body,
  type EndpointState,
  MAX_CALL_BYTES,
  MAX_ENDPOINTS_PER_DESTINATION,
  MAX_EXCERPT_BYTES,
} from "@postrider/core";
import { expectEqual } from "../check.js";
import { attempt, endpoint, rescheduledOutcome } from "./samples.js";
import type { StoreCase } from "./scene.js";

/** Whole numbers that do not fit where a smaller one does. */
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
        states.toSorted((one, other) => (one.endpoint < other.endpoint ? -1 : 1));
      expectEqual(byEndpoint((await scene.record(id)).endpoints), endpoints, "the endpoints as found");
      expectEqual(byEndpoint((await scene.claimOne()).endpoints), endpoints, "the endpoints as claimed");
    },
  },
  {
    name: "a duration and a round of any whole number come back as they were",
    async play(scene) {
      const attempts = NUMBERS.map((number, index) => {
        const given = { durationMs: number, round: Math.max(1, number), endpoint: endpoint(`e${String(index)}`) };
        return attempt(scene.later(index), given);
      });
      const id = await scene.finish(rescheduledOutcome(scene.now()), { attempts });
      expectEqual((await scene.record(id)).attempts, attempts, "the attempts");
    },
  },
  {
    name: "counts are added up beyond 32 bits",
    async play(scene) {
      const { source } = scene;
      const most = Number.MAX_SAFE_INTEGER - 2 ** 32;
      await scene.commit({ tally: [{ source, refused: 2 ** 31, suppressed: most, shed: 0 }] });
      await scene.commit({ tally: [{ source, refused: 2 ** 31, suppressed: 2 ** 32, shed: 1 }] });
      const expected = { refused: 2 ** 32, suppressed: Number.MAX_SAFE_INTEGER, shed: 1 };
      await scene.expectCounts(expected, "after two tallies");
    },
  },
];

/** Bytes that are no text, and differ from place to place. */
function patternOf(length: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 167 + (index >> 8) + seed) % 256);
}
