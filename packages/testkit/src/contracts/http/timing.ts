// Cases of the timeout, which runs from before the dial to the end of the headers, and of the clock: its wall clock may
// step and its timers take any length. A case about time is repeated with more of it on a busy machine.

import { type EndpointId, endpointId, type Clock, epochMs } from "@postrider/core";
import type { Socket } from "node:net";
import { expectThat, expectEqual } from "../check.js";
import {
  AMPLE_TIMEOUT_MS,
  expectAnswer,
  type HttpCase,
  type HttpScene,
  SHORT_TIMEOUT_MS,
  expectSilence,
  requestTo,
} from "./scene.js";

const DOUBLINGS = 6;

/** Plays a case with longer and longer steps, until `play` resolves with true: it could tell a wrong adapter from a right one. */
export async function withTimeToTell(stepMs: number, play: (stepMs: number) => Promise<boolean>): Promise<void> {
  let ms = stepMs;
  for (let doubling = 0; doubling <= DOUBLINGS; doubling += 1) {
    if (await play(ms)) return;
    ms *= 2;
  }
  expectThat(false, `the machine is so busy that steps of ${String(ms / 2)} ms told nothing of the adapter`);
}

const DRIP_EVERY_MS = 20;

const MAX_DRIPS = 2_000;

export const TIMEOUT_CASES: readonly HttpCase[] = [
  {
    name: "answers `timeout`, on time, for a receiver that never answers, and closes the connection",
    async play(scene) {
      const receiver = await scene.serve(() => undefined);
      await expectTimeout(scene, receiver.url());
      await scene.until(() => receiver.cutOff() === 1, AMPLE_TIMEOUT_MS, "hanging up");
    },
  },
  {
    name: "answers `timeout`, on time, for a receiver that never starts TLS",
    async play(scene) {
      const receiver = await scene.listen(() => undefined);
      await expectTimeout(scene, endpointId(`https://127.0.0.1:${String(receiver.port)}/`));
    },
  },
  {
    name: "answers `timeout`, on time, for headers of a failure that come byte by byte",
    async play(scene) {
      await expectTimeoutOfDrips(scene, { head: "HTTP/1.1 500 X\r\nX-Slow: ", text: "a" });
    },
  },
  {
    name: "answers `timeout`, on time, for endless interim answers",
    async play(scene) {
      await expectTimeoutOfDrips(scene, { head: "", text: "HTTP/1.1 103 Early Hints\r\n\r\n" });
    },
  },
  {
    name: "accepts an answer that comes before the timeout",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        scene.clock.after(SHORT_TIMEOUT_MS / 2, () => response.writeHead(204).end());
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, 204, "the status");
    },
  },
];

async function expectTimeout(scene: HttpScene, url: EndpointId, timeoutMs = SHORT_TIMEOUT_MS): Promise<void> {
  const startedAt = scene.clock.monotonic();
  const { fault, afterMs } = expectSilence(await scene.onTime(scene.send(url, { timeoutMs }), timeoutMs));
  const tookMs = scene.clock.monotonic() - startedAt;
  expectEqual(fault, "timeout", "the fault");
  expectThat(
    afterMs >= timeoutMs - 1 && afterMs <= tookMs + 1,
    `afterMs is ${String(afterMs)}, but the request took ${String(tookMs)} ms with a timeout of ${String(timeoutMs)} ms`,
  );
}

/** The text that is written first, and the one that is written again and again. */
interface Drips {
  readonly head: string;
  readonly text: string;
}

/** Expects a timeout while a receiver writes all the time: at least once in each timeout, or it is played again. */
function expectTimeoutOfDrips(scene: HttpScene, { head, text }: Drips): Promise<void> {
  return withTimeToTell(SHORT_TIMEOUT_MS, async (timeoutMs) => {
    const { clock } = scene;
    let lastAt = clock.monotonic();
    let longestMs = 0;
    const noteWrite = (): void => {
      const nowMs = clock.monotonic();
      longestMs = Math.max(longestMs, nowMs - lastAt);
      lastAt = nowMs;
    };
    const receiver = await scene.listen((socket) => {
      lastAt = clock.monotonic();
      socket.write(head);
      drip(scene, { socket, text, noteWrite });
    });
    await expectTimeout(scene, receiver.url(), timeoutMs);
    noteWrite();
    return longestMs < timeoutMs;
  });
}

interface DripOptions {
  readonly socket: Socket;
  readonly text: string;
  /** Called before each write. */
  readonly noteWrite: () => void;
}

/** Writes a little every 20 ms while the connection is open, for much longer than any adapter should read. */
function drip(scene: HttpScene, options: DripOptions, remaining = MAX_DRIPS): void {
  const { socket, text, noteWrite } = options;
  if (socket.destroyed) return;
  if (remaining === 0) {
    socket.destroy();
    return;
  }
  noteWrite();
  socket.write(text);
  scene.clock.after(DRIP_EVERY_MS, () => {
    drip(scene, options, remaining - 1);
  });
}

const CLOCK_STEP_MS = 3_600_000;

/** Around the longest delay of the platform's own timers, and beyond it. */
const LONG_TIMEOUTS_MS: readonly number[] = [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];

/** Coarse timers round it up to half a second, or to a second. */
const BRIEF_TIMEOUT_MS = 100;

const BRIEF_ENDS_WITHIN_MS = 400;

const BRIEF_TRIES = 8;

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
    name: "keeps a time limit of a tenth of a second, and does not round it up",
    async play(scene) {
      const receiver = await scene.serve(() => undefined);
      const http = scene.open();
      for (let count = 0; count < BRIEF_TRIES; count += 1) {
        const isLate = scene.wait(BRIEF_ENDS_WITHIN_MS).then(() => undefined);
        const reply = await Promise.race([
          http.send(requestTo(receiver.url(), { timeoutMs: BRIEF_TIMEOUT_MS })),
          isLate,
        ]);
        // One that is in time is enough, since others may be late on a busy machine.
        if (reply === undefined) continue;
        expectEqual(expectSilence(reply).fault, "timeout", "the fault");
        return;
      }
      expectThat(false, `none of ${String(BRIEF_TRIES)} requests ended within ${String(BRIEF_ENDS_WITHIN_MS)} ms`);
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
      return epochMs(clock.wall() + (isAhead ? CLOCK_STEP_MS : -CLOCK_STEP_MS));
    },
  };
}
