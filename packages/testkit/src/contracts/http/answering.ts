// Answers: the status as it came, an excerpt of limited size, and no further reading.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expectEqual, expectThat } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { AMPLE_TIMEOUT_MS, expectAnswer, type HttpCase, MIDDLE_TIMEOUT_MS, requestTo } from "./scene.js";

const STATUSES = [200, 201, 202, 204, 206, 299, 300, 304, 400, 401, 404, 408, 410, 423, 429, 499, 500, 501, 503, 599];
const REDIRECTS = [301, 302, 303, 307, 308];
const LONG = "0123456789abcdef".repeat(1_024);

const statusInPath: AnswerRequest = (response, { path }) => response.writeHead(Number(path.slice(1))).end();

export const ANSWERING_CASES: readonly HttpCase[] = [
  {
    name: "reports every final status as it came",
    async play(scene) {
      const receiver = await scene.serve(statusInPath);
      const http = scene.open();
      const seen: number[] = [];
      for (const status of STATUSES) {
        seen.push(expectAnswer(await http.send(requestTo(receiver.url(`/${String(status)}`)))).status);
      }
      expectEqual(seen, STATUSES, "the statuses");
    },
  },
  {
    name: "follows no redirect",
    async play(scene) {
      const other = await scene.serve((response) => response.end());
      const receiver = await scene.serve((response, { path }) =>
        response.writeHead(Number(path.slice(1)), { Location: other.url("/there") }).end(),
      );
      const http = scene.open();
      const seen: number[] = [];
      for (const status of REDIRECTS) {
        seen.push(expectAnswer(await http.send(requestTo(receiver.url(`/${String(status)}`)))).status);
      }
      expectEqual(seen, REDIRECTS, "the statuses");
      expectEqual(other.connections(), 0, "connections to where the redirects point");
      expectEqual(receiver.requests.length, REDIRECTS.length, "requests to the one that redirects");
    },
  },
  {
    name: "waits for the final status after an interim one",
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeProcessing();
        response.writeHead(503).end("after");
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, 503, "the status");
    },
  },
  {
    name: "reports Retry-After as it came, and its absence",
    async play(scene) {
      const values = ["120", "Wed, 21 Oct 2037 07:28:00 GMT", "soon", undefined];
      const receiver = await scene.serve((response, { path }) => {
        const value = values[Number(path.slice(1))];
        response.writeHead(503, value === undefined ? {} : { "Retry-After": value }).end();
      });
      const http = scene.open();
      for (const [index, value] of values.entries()) {
        const reply = expectAnswer(await http.send(requestTo(receiver.url(`/${String(index)}`))));
        expectEqual(reply.retryAfter, value, "Retry-After");
      }
    },
  },
  {
    name: "keeps the whole of a short failed answer, byte for byte",
    async play(scene) {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const receiver = await scene.serve((response) => response.writeHead(500).end(bytes));
      expectEqual(expectAnswer(await scene.send(receiver.url())).excerpt, bytes, "the excerpt");
    },
  },
  {
    name: "keeps the first 4,096 bytes of a long failed answer",
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(500).end(LONG));
      const { excerpt } = expectAnswer(await scene.send(receiver.url()));
      expectEqual(new TextDecoder().decode(excerpt), LONG.slice(0, 4_096), "the excerpt");
    },
  },
  {
    name: "keeps no bytes of a successful answer",
    async play(scene) {
      const receiver = await scene.serve((response) => response.writeHead(200).end(LONG));
      expectEqual(expectAnswer(await scene.send(receiver.url())).excerpt.length, 0, "bytes of excerpt");
    },
  },
  {
    name: "does not decompress a compressed answer",
    needs: ["rawAnswers"],
    async play(scene) {
      const bytes = Uint8Array.from(gzipSync("x".repeat(1_000)));
      const receiver = await scene.serve((response) =>
        response.writeHead(500, { "Content-Encoding": "gzip" }).end(bytes),
      );
      expectEqual(expectAnswer(await scene.send(receiver.url())).excerpt, bytes, "the excerpt");
    },
  },
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
      expectThat(tookMs < AMPLE_TIMEOUT_MS / 5, `it took ${String(tookMs)} ms`);
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
      expectThat(tookMs < AMPLE_TIMEOUT_MS / 5, `it took ${String(tookMs)} ms`);
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
          // In many turns, so that the status line is read long before the end, even if this process pauses once.
          void repeat(20, () => scene.wait(10)).then(() => response.end());
        });
      });
      const startedAt = scene.clock.monotonic();
      const { afterMs } = expectAnswer(await scene.send(receiver.url()));
      const tookMs = scene.clock.monotonic() - startedAt;
      expectThat(afterMs >= 95 && tookMs - afterMs >= 150, `afterMs is ${String(afterMs)} of ${String(tookMs)}`);
    },
  },
  endless("success", 200),
  endless("failure", 500),
  {
    name: "closes the connection of an answer with endless framing, long before the timeout",
    needs: ["boundedFraming"],
    async play(scene) {
      const chunked = "Transfer-Encoding: chunked\r\n\r\n";
      for (const opening of [`HTTP/1.1 500 X\r\n${chunked}1;a=`, "HTTP/1.1 500 "]) {
        const receiver = await scene.listen((socket) => {
          socket.once("data", () => {
            socket.write(opening);
            writeForever(socket);
          });
        });
        const sending = scene.send(receiver.url());
        const isCut = (): boolean => receiver.connections() === 1 && receiver.openConnections() === 0;
        await scene.until(isCut, AMPLE_TIMEOUT_MS / 2, "hanging up");
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

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await work();
}

function endless(word: string, status: number): HttpCase {
  return {
    name: `closes the connection of a ${word} that never ends, long before the timeout`,
    async play(scene) {
      const receiver = await scene.serve((response) => {
        response.writeHead(status);
        writeForever(response);
      });
      expectEqual(expectAnswer(await scene.send(receiver.url())).status, status, "the status");
      await scene.until(() => receiver.cutOff() === 1, AMPLE_TIMEOUT_MS / 2, "hanging up");
    },
  };
}

/** Writes as much as the other side reads, up to 64 MiB. */
function writeForever(stream: ServerResponse | Socket): void {
  for (let written = 0; written < 1_024; written += 1) {
    if (stream.destroyed) return;
    if (stream.write(LONG)) continue;
    stream.once("drain", () => {
      writeForever(stream);
    });
    return;
  }
}
