// The timeout: from before the dial to the end of the headers, even if bytes keep coming.

import { expectEqual, expectThat } from "../check.js";
import {
  AMPLE_TIMEOUT_MS,
  expectAnswer,
  type HttpCase,
  type HttpScene,
  SHORT_TIMEOUT_MS,
  expectSilence,
} from "./scene.js";
import { withTimeToTell } from "./time-to-tell.js";
import { type EndpointId, endpointId } from "@postrider/core";
import type { Socket } from "node:net";

const DRIP_EVERY_MS = 20;
const DRIPS = 2_000;

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

/** What is written at first, and then again and again. */
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
    const note = (): void => {
      const now = clock.monotonic();
      longestMs = Math.max(longestMs, now - lastAt);
      lastAt = now;
    };
    const receiver = await scene.listen((socket) => {
      lastAt = clock.monotonic();
      socket.write(head);
      drip(scene, { socket, text, note });
    });
    await expectTimeout(scene, receiver.url(), timeoutMs);
    note();
    return longestMs < timeoutMs;
  });
}

interface Dripping {
  readonly socket: Socket;
  readonly text: string;
  /** Called before each write. */
  readonly note: () => void;
}

/** Writes a little every 20 ms while the connection is open, for much longer than any adapter should read. */
function drip(scene: HttpScene, dripping: Dripping, left = DRIPS): void {
  const { socket, text, note } = dripping;
  if (socket.destroyed) return;
  if (left === 0) {
    socket.destroy();
    return;
  }
  note();
  socket.write(text);
  scene.clock.after(DRIP_EVERY_MS, () => {
    drip(scene, dripping, left - 1);
  });
}
