// Cases of when an answer counts, how much of it is read, and when its connection is closed. A receiver writes in small
// steps, each read before the next, so that the buffers of the two sockets hide nothing.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_REPLY_BYTES } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import {
  AMPLE_TIMEOUT_MS,
  BEFORE_TIMEOUT_MS,
  expectAnswer,
  type HttpCase,
  MIDDLE_TIMEOUT_MS,
  type HttpScene,
  requestTo,
} from "./scene.js";
import { LONG, repeat } from "./answers.js";

export const ANSWERING_IN_TIME_CASES: readonly HttpCase[] = [
  {
    name: "resolves at the status line of a success, while its body still drips",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(200);
        response.write("first");
      });
      const startedAt = scene.clock.monotonic();
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, 200, "the status");
      const tookMs = scene.clock.monotonic() - startedAt;
      expectThat(tookMs < BEFORE_TIMEOUT_MS, `it took ${String(tookMs)} ms`);
    },
  },
  {
    name: "resolves a failure once 4,096 bytes have come, although the body goes on",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(500);
        response.write(LONG.slice(0, 5_000));
      });
      const startedAt = scene.clock.monotonic();
      expectEqual(expectAnswer(await scene.send(receiver.url())).excerpt.length, 4_096, "bytes of excerpt");
      const tookMs = scene.clock.monotonic() - startedAt;
      expectThat(tookMs < BEFORE_TIMEOUT_MS, `it took ${String(tookMs)} ms`);
    },
  },
  {
    name: "resolves a failure at the timeout, with what has come",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(500);
        response.write("so far");
      });
      const sending = scene.send(receiver.url(), { timeoutMs: MIDDLE_TIMEOUT_MS });
      const reply = expectAnswer(await scene.onTime(sending, MIDDLE_TIMEOUT_MS));
      expectEqual([reply.status, new TextDecoder().decode(reply.excerpt)], [500, "so far"], "status and excerpt");
    },
  },
  {
    name: "resolves a failure whose connection breaks in the body, with what has come",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(500, { "Content-Length": "100" });
        response.write("so far", () => response.socket?.resetAndDestroy());
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, 500, "the status");
    },
  },
  {
    name: "counts `afterMs` up to the status line, not to the end of the body",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        scene.clock.after(100, () => {
          response.writeHead(500);
          response.write("first");
          // In many turns, so that the status line is read long before the end, even on a busy machine.
          void repeat(100, () => scene.wait(10)).then(() => response.end());
        });
      });
      const startedAt = scene.clock.monotonic();
      const { afterMs } = expectAnswer(await scene.send(receiver.url()));
      const tookMs = scene.clock.monotonic() - startedAt;
      expectThat(afterMs >= 95 && tookMs - afterMs >= 150, `afterMs is ${String(afterMs)} of ${String(tookMs)}`);
    },
  },
  endlessCase("success", 200),
  endlessCase("failure", 500),
  {
    name: "closes the connection of an answer with endless framing, long before the timeout",
    needs: ["boundedFraming"],
    async play(scene) {
      const chunked = "Transfer-Encoding: chunked\r\n\r\n";
      for (const prefix of [`HTTP/1.1 500 X\r\n${chunked}1;a=`, "HTTP/1.1 500 "]) {
        const receiver = await scene.listen((socket) => {
          socket.once("data", () => {
            socket.write(prefix);
            writeForever(socket);
          });
        });
        const sending = scene.send(receiver.url());
        const isCut = (): boolean => receiver.connections() === 1 && receiver.openConnections() === 0;
        await scene.until(isCut, BEFORE_TIMEOUT_MS, "hanging up");
        await sending;
      }
    },
  },
  {
    name: "closes the connection of a successful answer that is not complete at the timeout",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(200);
        response.write("first");
      });
      await scene.send(receiver.url(), { timeoutMs: MIDDLE_TIMEOUT_MS });
      await scene.onTime(
        scene.until(() => receiver.cutOff() === 1, AMPLE_TIMEOUT_MS, "hanging up"),
        MIDDLE_TIMEOUT_MS,
      );
    },
  },
];

function endlessCase(word: string, status: number): HttpCase {
  return {
    name: `closes the connection of a ${word} that never ends, long before the timeout`,
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(status);
        writeForever(response);
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, status, "the status");
      await scene.until(() => receiver.cutOff() === 1, BEFORE_TIMEOUT_MS, "hanging up");
    },
  };
}

/** Writes as much as the other side reads, up to 64 MiB. */
function writeForever(stream: ServerResponse | Socket): void {
  for (let count = 0; count < 1_024; count += 1) {
    if (stream.destroyed) return;
    if (stream.write(LONG)) continue;
    stream.once("drain", () => {
      writeForever(stream);
    });
    return;
  }
}

const STEP = new Uint8Array(8_192);

/** More than this means that the port reads to the end of the body. */
const OFFERED_BYTES = 4 * MAX_REPLY_BYTES;

/** One read buffer beyond the bound, and some steps that were under way when the connection was closed. */
const MAX_WRITTEN_BYTES = 2 * MAX_REPLY_BYTES;

/** The time in which a step is read. */
const STEP_MS = 4;

export const BOUND_CASES: readonly HttpCase[] = [
  boundedCase("success", 200),
  boundedCase("failure", 500),
  {
    name: "does not use the connection of a cut answer again, and gives the next request its own answer",
    async play(scene) {
      const sockets: unknown[] = [];
      const receiver = await scene.serve((response, { path }) => {
        sockets.push(response.socket);
        if (path === "/next") response.writeHead(202).end();
        else response.writeHead(500, { "Content-Length": String(OFFERED_BYTES) }).end(new Uint8Array(OFFERED_BYTES));
      });
      const http = scene.open();
      for (let round = 0; round < 3; round += 1) {
        expectEqual(expectAnswer(await http.send(requestTo(receiver.url("/long")))).status, 500, "the status");
        expectEqual(expectAnswer(await http.send(requestTo(receiver.url("/next")))).status, 202, "the next status");
      }
      const isReused = sockets.some((socket, index) => index % 2 === 1 && socket === sockets[index - 1]);
      expectThat(!isReused, "the connection of a cut answer was used again");
    },
  },
];

function boundedCase(word: string, status: number): HttpCase {
  return {
    name: `reads no more than 65,536 bytes of a ${word}, and then closes its connection`,
    async play(scene) {
      let writtenBytes = 0;
      const receiver = await scene.serve((response) => {
        response.writeHead(status, { "Content-Length": String(2 * OFFERED_BYTES) });
        void writeInSteps(scene, response).then((bytes) => (writtenBytes = bytes));
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, status, "the status");
      await scene.until(() => writtenBytes > 0, BEFORE_TIMEOUT_MS, "writing or closing");
      expectThat(
        writtenBytes <= MAX_WRITTEN_BYTES,
        `${String(writtenBytes)} bytes were taken before the connection was closed`,
      );
    },
  };
}

/** Writes until the connection is closed, or all that is offered has been taken. Resolves with the bytes written. */
async function writeInSteps(scene: HttpScene, response: ServerResponse): Promise<number> {
  let writtenBytes = 0;
  while (!response.destroyed && writtenBytes < OFFERED_BYTES) {
    response.write(STEP);
    writtenBytes += STEP.length;
    for (let ms = 0; ms < STEP_MS; ms += 1) await scene.wait(1);
  }
  return writtenBytes;
}
