// Successes with an odd head: the status line is the receiver's word about the message, and what breaks behind it ends the
// connection, not the delivery. And a 100 that was not asked for, which is no answer yet (RFC 9110, §15.2).

import type { Socket } from "node:net";
import { expectEqual } from "../check.js";
import { answer, head, interim, NEXT } from "./raw-answers.js";
import { BEFORE_TIMEOUT_MS, expectAnswer, type HttpCase, type HttpScene, requestTo } from "./scene.js";

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
  ...ODD_HEADS.map(oddHead),
  {
    name: "reports a success at its status line, although its head never ends",
    needs: ["statusLines"],
    async play(scene) {
      const receiver = await scene.converse({ onRequest: (socket) => void socket.write(`${head(200)}X-Half: `) });
      const reply = await scene.onTime(scene.send(receiver.url()), BEFORE_TIMEOUT_MS);
      expectEqual(expectAnswer(reply).status, 200, "the status");
    },
  },
  ...INTERIM.flatMap(([what, bytes]) => [skipsInterim(what, bytes, 200), skipsInterim(what, bytes, 503)]),
];

function oddHead({ what, bytes, end }: OddHead): HttpCase {
  return {
    name: `reports a success by its status line when the answer ${what}, and uses its connection no more`,
    needs: ["statusLines"],
    async play(scene) {
      const receiver = await scene.converse({
        onRequest(socket, turn) {
          socket.write(turn === 0 ? bytes : answer(NEXT));
          if (turn === 0) end?.(socket);
        },
      });
      const http = scene.open();
      const replies = [await http.send(requestTo(receiver.url("/first")))];
      await scene.settle();
      replies.push(await http.send(requestTo(receiver.url("/next"))));
      const statuses = replies.map((reply) => expectAnswer(reply).status);
      expectEqual(statuses, [200, NEXT], "the statuses");
      expectEqual(receiver.connections(), 2, "connections");
    },
  };
}

function skipsInterim(what: string, bytes: string, status: number): HttpCase {
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
      if (turn > 0) socket.write(answer(NEXT));
      else void writeInTurn(scene, socket, pieces);
    },
  });
  const http = scene.open();
  const reply = expectAnswer(await http.send(requestTo(receiver.url("/first"))));
  const excerpt = status === 200 ? "" : "own";
  expectEqual([reply.status, new TextDecoder().decode(reply.excerpt)], [status, excerpt], "status and excerpt");
  const next = expectAnswer(await http.send(requestTo(receiver.url("/next"))));
  expectEqual([next.status, next.retryAfter], [NEXT, undefined], "status and Retry-After of the next answer");
}

async function writeInTurn(scene: HttpScene, socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await scene.settle();
  }
}
