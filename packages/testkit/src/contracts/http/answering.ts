// Answers: the status as it came, an excerpt of limited size, and no further reading.

import { STATUS_CODES } from "node:http";
import { gzipSync } from "node:zlib";
import { expectEqual } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, requestTo } from "./scene.js";

/** All that have a name, and the ends of each hundred; but not 407 and 421, which have a separate case. */
const STATUSES = [...Object.keys(STATUS_CODES).map(Number), 299, 399, 499, 599].filter(
  (status) => status >= 200 && status !== 407 && status !== 421,
);
export const LONG: string = "0123456789abcdef".repeat(1_024);

const statusInPath: AnswerRequest = (response, { path }) => response.writeHead(Number(path.slice(1))).end();

export const ANSWERING_CASES: readonly HttpCase[] = [
  {
    name: "reports every final status as it came",
    async play(scene) {
      const receiver = await scene.serve(statusInPath);
      const http = scene.open();
      const sent = STATUSES.map((status) => http.send(requestTo(receiver.url(`/${String(status)}`))));
      const seen = (await Promise.all(sent)).map((reply) => expectAnswer(reply).status);
      expectEqual(seen, STATUSES, "the statuses");
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
];

export async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) await work();
}
