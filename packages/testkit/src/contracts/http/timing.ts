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
import { type EndpointId, endpointId } from "@postrider/core";
import type { Socket } from "node:net";

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
      const receiver = await scene.listen((socket) => {
        socket.write("HTTP/1.1 500 X\r\nX-Slow: ");
        drip(scene, socket, "a");
      });
      await expectTimeout(scene, receiver.url());
    },
  },
  {
    name: "answers `timeout`, on time, for endless interim answers",
    async play(scene) {
      const receiver = await scene.listen((socket) => {
        drip(scene, socket, "HTTP/1.1 103 Early Hints\r\n\r\n");
      });
      await expectTimeout(scene, receiver.url());
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

async function expectTimeout(scene: HttpScene, url: EndpointId): Promise<void> {
  const startedAt = scene.clock.monotonic();
  const { fault, afterMs } = expectSilence(
    await scene.onTime(scene.send(url, { timeoutMs: SHORT_TIMEOUT_MS }), SHORT_TIMEOUT_MS),
  );
  const tookMs = scene.clock.monotonic() - startedAt;
  expectEqual(fault, "timeout", "the fault");
  expectThat(
    afterMs >= SHORT_TIMEOUT_MS - 1 && afterMs <= tookMs + 1,
    `afterMs is ${String(afterMs)}, but the request took ${String(tookMs)} ms with a timeout of ${String(SHORT_TIMEOUT_MS)} ms`,
  );
}

/** Writes a little every 20 ms while the connection is open, for much longer than any adapter should read. */
function drip(scene: HttpScene, socket: Socket, text: string, left = 500): void {
  if (socket.destroyed) return;
  if (left === 0) {
    socket.destroy();
    return;
  }
  socket.write(text);
  scene.clock.after(20, () => {
    drip(scene, socket, text, left - 1);
  });
}
