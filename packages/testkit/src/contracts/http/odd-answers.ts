// Cases of answers with more, less or other bytes than HTTP has for one answer, or with bytes that were not asked for:
// each reply is the one to its request, and the next request gets its own.

import { expectEqual } from "../check.js";
import { expectAnswer, type HttpCase, requestTo, type HttpScene } from "./scene.js";

export function head(status: number): string {
  return `HTTP/1.1 ${String(status)} X\r\n`;
}

export function answer(status: number, body = ""): string {
  return `${head(status)}Content-Length: ${String(body.length)}\r\n\r\n${body}`;
}

export function interim(status: number): string {
  return `${head(status)}Retry-After: 99\r\nLink: </style.css>; rel=preload\r\n\r\n`;
}

/** The status of the right answer to a later request; no odd answer has it. */
export const NEXT_STATUS = 202;

/** An answer that must not be reported for any request. */
const STALE: string = answer(299);

interface OddAnswer {
  readonly what: string;
  readonly bytes: string;
  readonly closes?: boolean;
  /** The status and the excerpt to be reported. */
  readonly status: number;
  readonly excerpt: string;
}

const ODD_ANSWERS: readonly OddAnswer[] = [
  { what: "two answers", bytes: answer(500, "one") + STALE, status: 500, excerpt: "one" },
  { what: "two successes", bytes: answer(200) + STALE, status: 200, excerpt: "" },
  { what: "bytes after its body", bytes: `${answer(500, "one")}more`, status: 500, excerpt: "one" },
  { what: "a status line after its body", bytes: `${answer(404)}HTTP/1.1 299 `, status: 404, excerpt: "" },
  { what: "a body where none may be", bytes: `${head(204)}Content-Length: 4\r\n\r\nbody`, status: 204, excerpt: "" },
  {
    what: "trailers",
    bytes: `${head(503)}Transfer-Encoding: chunked\r\nTrailer: Retry-After\r\n\r\n3\r\none\r\n0\r\nRetry-After: 99\r\n\r\n`,
    status: 503,
    excerpt: "one",
  },
  {
    what: "a second answer after its last chunk",
    bytes: `${head(500)}Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n${STALE}`,
    status: 500,
    excerpt: "one",
  },
  {
    what: "a shorter body than it said",
    bytes: `${head(500)}Content-Length: 100\r\n\r\none`,
    closes: true,
    status: 500,
    excerpt: "one",
  },
  { what: "HTTP/1.0", bytes: "HTTP/1.0 500 X\r\n\r\none", closes: true, status: 500, excerpt: "one" },
  { what: "a body without a length", bytes: `${head(500)}\r\none`, closes: true, status: 500, excerpt: "one" },
  {
    what: "interim answers with headers",
    bytes: `${interim(102)}${interim(103)}${interim(103)}${answer(500, "one")}`,
    status: 500,
    excerpt: "one",
  },
  { what: "interim answers before a success", bytes: `${interim(103)}${answer(200)}`, status: 200, excerpt: "" },
  { what: "an interim answer after it", bytes: `${answer(500, "one")}${interim(103)}`, status: 500, excerpt: "one" },
];

export const ODD_CASES: readonly HttpCase[] = ODD_ANSWERS.map(oddAnswerCase);

function oddAnswerCase({ what, bytes, closes = false, status, excerpt }: OddAnswer): HttpCase {
  return {
    name: `reports the answer of a receiver that sends ${what}, and then the next answer as it is`,
    async play(scene) {
      const receiver = await scene.converse({
        onRequest(socket, turn) {
          socket.write(turn === 0 ? bytes : answer(NEXT_STATUS));
          if (closes || turn > 0) socket.end();
        },
      });
      const http = scene.open();
      const reply = expectAnswer(await http.send(requestTo(receiver.url("/first"))));
      const fields = [reply.status, new TextDecoder().decode(reply.excerpt), reply.retryAfter];
      expectEqual(fields, [status, excerpt, undefined], "status, excerpt and Retry-After");
      const nextReply = expectAnswer(await http.send(requestTo(receiver.url("/next"))));
      expectEqual(
        [nextReply.status, nextReply.retryAfter],
        [NEXT_STATUS, undefined],
        "status and Retry-After of the next answer",
      );
    },
  };
}

const LARGE_BODY = new Uint8Array(512_000);

export const UNASKED_CASES: readonly HttpCase[] = [
  {
    name: "takes nothing that comes on an idle connection for the answer to the next request",
    async play(scene) {
      const texts = [STALE, "HTTP/1.1 299 ", "\r\n", "nonsense\r\n\r\n"];
      await Promise.all(texts.map((text) => expectIgnored(scene, text)));
    },
  },
  {
    name: "takes an answer that comes before its request is complete, and sends the next request whole",
    async play(scene) {
      const endedTurns: number[] = [];
      const receiver = await scene.converse({
        onHead(socket, turn) {
          if (turn === 0) socket.write(answer(413, "own"));
        },
        onRequest(socket, turn) {
          endedTurns.push(turn);
          if (turn > 0) socket.write(answer(NEXT_STATUS));
        },
      });
      const http = scene.open();
      const firstReply = expectAnswer(await http.send(requestTo(receiver.url("/first"), { body: LARGE_BODY })));
      const nextReply = expectAnswer(await http.send(requestTo(receiver.url("/next"), { body: LARGE_BODY })));
      expectEqual([firstReply.status, nextReply.status], [413, NEXT_STATUS], "the statuses");
      expectEqual(endedTurns.at(-1), 1, "the request that came whole last");
    },
  },
  {
    name: "gives each of many requests on few connections its own answer, although every second one is odd",
    async play(scene) {
      const receiver = await scene.converse({
        onRequest(socket, turn) {
          socket.write(answer(turn % 2 === 0 ? 500 : NEXT_STATUS, String(turn)) + (turn % 2 === 0 ? STALE : ""));
        },
      });
      const http = scene.open();
      for (let turn = 0; turn < 20; turn += 1) {
        const reply = expectAnswer(await http.send(requestTo(receiver.url(`/${String(turn)}`))));
        expectEqual(reply.status, turn % 2 === 0 ? 500 : NEXT_STATUS, `the status of request ${String(turn)}`);
        if (turn % 2 === 0) expectEqual(new TextDecoder().decode(reply.excerpt), String(turn), "its excerpt");
      }
    },
  },
];

/** Expects that bytes that come on an idle connection answer no request. */
async function expectIgnored(scene: HttpScene, text: string): Promise<void> {
  const receiver = await scene.converse({
    onRequest(socket, turn) {
      socket.write(answer(turn === 0 ? 500 : NEXT_STATUS, "own"));
      // After the answer has been read, and its connection is idle.
      if (turn === 0) void scene.settle().then(() => socket.write(text));
    },
  });
  const http = scene.open();
  const firstReply = expectAnswer(await http.send(requestTo(receiver.url("/first"))));
  await scene.settle();
  await scene.settle();
  const nextReply = expectAnswer(await http.send(requestTo(receiver.url("/next"))));
  expectEqual([firstReply.status, nextReply.status], [500, NEXT_STATUS], `the statuses around ${JSON.stringify(text)}`);
}
