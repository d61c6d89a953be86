// The clock that an adapter is given: its wall clock may step at any moment and measures nothing, and its timers take any
// length, so that no `timeoutMs` is too long.

import { type Clock, epochMs } from "@postrider/core";
import { expectEqual } from "../check.js";
import { expectAnswer, expectSilence, type HttpCase, requestTo, SHORT_TIMEOUT_MS } from "./scene.js";

const STEP_MS = 3_600_000;
/** Around the longest delay of the platform's own timers, and beyond it. */
const LONG_TIMEOUTS_MS: readonly number[] = [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
/** The answer comes after this: a timer that fires at once comes before it. */
const ANSWERS_AFTER_MS = 50;

export const CLOCK_CASES: readonly HttpCase[] = [
  {
    name: "keeps the time limit, and measures `afterMs`, while the wall clock steps by hours",
    async play(scene) {
      const http = scene.open({ clock: withSteps(scene.clock) });
      const receiver = await scene.serve((response, { path }) => {
        if (path === "/answers") response.writeHead(503).end();
      });
      // The scene compares each `afterMs` with the time that the request took.
      expectEqual(expectAnswer(await http.send(requestTo(receiver.url("/answers")))).status, 503, "the status");
      const timeoutMs = SHORT_TIMEOUT_MS;
      const sending = http.send(requestTo(receiver.url("/hangs"), { timeoutMs }));
      expectEqual(expectSilence(await scene.onTime(sending, timeoutMs)).fault, "timeout", "the fault");
    },
  },
  {
    name: "waits for the answer under a time limit of any length",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        scene.clock.after(ANSWERS_AFTER_MS, () => response.writeHead(503).end());
      });
      for (const timeoutMs of LONG_TIMEOUTS_MS) {
        const { status } = expectAnswer(await scene.send(receiver.url(), { timeoutMs }));
        expectEqual(status, 503, `the status under a time limit of ${String(timeoutMs)} ms`);
      }
    },
  },
];

/** The same clock, but its wall clock steps back and forth by an hour each time it is read. */
function withSteps(clock: Clock): Clock {
  let isAhead = false;
  return {
    monotonic: () => clock.monotonic(),
    after: (delayMs, wake) => clock.after(delayMs, wake),
    wall: () => {
      isAhead = !isAhead;
      return epochMs(clock.wall() + (isAhead ? STEP_MS : -STEP_MS));
    },
  };
}
