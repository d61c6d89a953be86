// Cases of answers: their status is reported as it came, also with an odd head, and the excerpt has all pieces in their
// order, up to its limit. A 100 is no answer yet (RFC 9110, §15.2).

import { STATUS_CODES, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { expectEqual } from "../check.js";
import type { AnswerRequest } from "./receiver.js";
import { expectAnswer, type HttpCase, requestTo, type HttpScene, BEFORE_TIMEOUT_MS } from "./scene.js";
import { answer, head, interim, NEXT_STATUS } from "./odd-answers.js";

/** All final ones that have a name, and the last of each hundred; but not 407 and 421, which have a separate case. */
const STATUSES = [...Object.keys(STATUS_CODES).map(Number), 299, 399, 499, 599].filter(
  (status) => status >= 200 && status !== 407 && status !== 421,
);

export const LONG: string = "0123456789abcdef".repeat(1_024);

/** All bytes, and texts with a byte order mark, a NUL, blanks and a line end at their ends. */
const SHORT_BODIES: readonly Uint8Array[] = [
  Uint8Array.from({ length: 256 }, (_, index) => index),
  ...["\ufeffbusy", "\u0000busy\u0000", " busy ", "\r\nbusy\r\n"].map((text) => new TextEncoder().encode(text)),
  Uint8Array.of(0xff, 0xfe, 0x61, 0),
];

const statusInPath: AnswerRequest = (response, { path }) => response.writeHead(Number(path.slice(1))).end();

export const ANSWERING_CASES: readonly HttpCase[] = [
  {
    name: "reports every final status as it came",
    async play(scene) {
      const receiver = await scene.serve(statusInPath);
      const http = scene.open();
      const replies = STATUSES.map((status) => http.send(requestTo(receiver.url(`/${String(status)}`))));
      const statuses = (await Promise.all(replies)).map((reply) => expectAnswer(reply).status);
      expectEqual(statuses, STATUSES, "the statuses");
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
    name: "keeps the whole of a short failed answer, byte for byte",
    async play(scene) {
      for (const bytes of SHORT_BODIES) {
        const receiver = await scene.serve((response) => response.writeHead(500).end(bytes));
        expectEqual(expectAnswer(await scene.send(receiver.url())).excerpt, bytes, "the excerpt");
      }
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

/** The lengths of pieces that all fit into the excerpt. */
const SHORT_PIECES: readonly number[] = Array.from({ length: 20 }, (_, index) => index + 1);

/** The longest pieces come last and cross the limit of the excerpt. */
const LONG_PIECES: readonly number[] = [...SHORT_PIECES, 3_800, 200, 1_000];

/** Long enough that each piece is read before the next is written, unless the machine pauses. */
const BETWEEN_PIECES_MS = 10;

export const PIECES_CASES: readonly HttpCase[] = [
  {
    name: "keeps all of a short failed answer that comes in pieces, in their order",
    play: (scene) => expectExcerpt(scene, SHORT_PIECES),
  },
  {
    name: "keeps the first 4,096 bytes of a long failed answer that comes in pieces",
    play: (scene) => expectExcerpt(scene, LONG_PIECES),
  },
];

async function expectExcerpt(scene: HttpScene, lengths: readonly number[]): Promise<void> {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const receiver = await scene.serve((response) => {
    response.writeHead(500);
    void writeInPieces(scene, response, lengths);
  });
  const { excerpt } = expectAnswer(await scene.send(receiver.url()));
  expectEqual(new TextDecoder().decode(excerpt), LONG.slice(0, Math.min(total, 4_096)), "the excerpt");
}

async function writeInPieces(scene: HttpScene, response: ServerResponse, lengths: readonly number[]): Promise<void> {
  let offset = 0;
  for (const length of lengths) {
    response.write(LONG.slice(offset, offset + length));
    offset += length;
    await scene.wait(BETWEEN_PIECES_MS);
  }
  response.end();
}

interface OddHead {
  readonly what: string;
  readonly bytes: string;
  /** Ends the connection behind the bytes. */
  readonly end?: (socket: Socket) => void;
}

const CHUNKED = "Transfer-Encoding: chunked\r\n";

const NO_BYTES = "Content-Length: 0\r\n\r\n";

const ODD_HEADS: readonly OddHead[] = [
  { what: "is chunked and has a length", bytes: `${head(200)}${CHUNKED}Content-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n` },
  { what: "has its length twice", bytes: `${head(200)}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok` },
  { what: "has its length twice in one field", bytes: `${head(200)}Content-Length: 2, 2\r\n\r\nok` },
  { what: "has a length that is no number", bytes: `${head(200)}Content-Length: some\r\n\r\n` },
  { what: "has a head of 17 kB", bytes: `${head(200)}Set-Cookie: a=${"b".repeat(17_000)}\r\n${NO_BYTES}` },
  { what: "ends one line with LF alone", bytes: `${head(200)}X-Odd: a\n${NO_BYTES}` },
  { what: "ends all lines with LF alone", bytes: "HTTP/1.1 200 OK\nContent-Length: 0\n\n" },
  { what: "has a control character in a value", bytes: `${head(200)}X-Odd: a\u0001b\u0000c\r\n${NO_BYTES}` },
  { what: "has a field without a colon", bytes: `${head(200)}X-Odd\r\n${NO_BYTES}` },
  { what: "has a blank before a colon", bytes: `${head(200)}X-Odd : a\r\n${NO_BYTES}` },
  { what: "has its status line twice", bytes: `${head(200)}${head(200)}${NO_BYTES}` },
  {
    what: "is of the encoding `identity`",
    bytes: `${head(200)}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok`,
  },
  { what: "closes in its fields", bytes: `${head(200)}X-Half: `, end: (socket) => socket.end() },
];

/** Each before an answer, in one piece and in two. */
const INTERIM: readonly (readonly [what: string, bytes: string])[] = [
  ["a 100", `${head(100)}\r\n`],
  ["a 100 with fields", interim(100)],
  ["two of 100 and a 103", `${head(100)}\r\n${interim(103)}${head(100)}\r\n`],
];

export const STATUS_LINE_CASES: readonly HttpCase[] = [
  ...ODD_HEADS.map(oddHeadCase),
  {
    name: "reports a success at its status line, although its head never ends",
    needs: ["statusLines"],
    async play(scene) {
      const receiver = await scene.converse({ onRequest: (socket) => void socket.write(`${head(200)}X-Half: `) });
      const reply = await scene.onTime(scene.send(receiver.url()), BEFORE_TIMEOUT_MS);
      expectEqual(expectAnswer(reply).status, 200, "the status");
    },
  },
  ...INTERIM.flatMap(([what, bytes]) => [skippedInterimCase(what, bytes, 200), skippedInterimCase(what, bytes, 503)]),
];

function oddHeadCase({ what, bytes, end }: OddHead): HttpCase {
  return {
    name: `reports a success by its status line when the answer ${what}, and uses its connection no more`,
    needs: ["statusLines"],
    async play(scene) {
      const receiver = await scene.converse({
        onRequest(socket, turn) {
          socket.write(turn === 0 ? bytes : answer(NEXT_STATUS));
          if (turn === 0) end?.(socket);
        },
      });
      const http = scene.open();
      const replies = [await http.send(requestTo(receiver.url("/first")))];
      await scene.settle();
      replies.push(await http.send(requestTo(receiver.url("/next"))));
      const statuses = replies.map((reply) => expectAnswer(reply).status);
      expectEqual(statuses, [200, NEXT_STATUS], "the statuses");
      expectEqual(receiver.connections(), 2, "connections");
    },
  };
}

function skippedInterimCase(what: string, bytes: string, status: number): HttpCase {
  return {
    name: `skips ${what} that was not asked for, before a ${String(status)}`,
    needs: ["statusLines"],
    async play(scene) {
      await expectSkipped(scene, [bytes + answer(status, "own")], status);
      await expectSkipped(scene, [bytes, answer(status, "own")], status);
    },
  };
}

async function expectSkipped(scene: HttpScene, pieces: readonly string[], status: number): Promise<void> {
  const receiver = await scene.converse({
    onRequest(socket, turn) {
      if (turn > 0) socket.write(answer(NEXT_STATUS));
      else void writeInTurn(scene, socket, pieces);
    },
  });
  const http = scene.open();
  const reply = expectAnswer(await http.send(requestTo(receiver.url("/first"))));
  const excerpt = status === 200 ? "" : "own";
  expectEqual([reply.status, new TextDecoder().decode(reply.excerpt)], [status, excerpt], "status and excerpt");
  const nextReply = expectAnswer(await http.send(requestTo(receiver.url("/next"))));
  expectEqual(
    [nextReply.status, nextReply.retryAfter],
    [NEXT_STATUS, undefined],
    "status and Retry-After of the next answer",
  );
}

async function writeInTurn(scene: HttpScene, socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await scene.settle();
  }
}
