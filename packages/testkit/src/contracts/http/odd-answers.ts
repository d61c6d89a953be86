// Answers with more, less or other bytes than HTTP has for one answer: each is reported as what it is, and the next request gets
// the next answer.

import { expectEqual } from "../check.js";
import { answer, head, interim, NEXT, STALE } from "./raw-answers.js";
import { expectAnswer, type HttpCase, requestTo } from "./scene.js";

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

export const ODD_CASES: readonly HttpCase[] = ODD_ANSWERS.map(oddAnswer);

function oddAnswer({ what, bytes, closes = false, status, excerpt }: OddAnswer): HttpCase {
  return {
    name: `reports the answer of a receiver that sends ${what}, and then the next answer as it is`,
    async play(scene) {
      const receiver = await scene.converse({
        onRequest(socket, turn) {
          socket.write(turn === 0 ? bytes : answer(NEXT));
          if (closes || turn > 0) socket.end();
        },
      });
      const http = scene.open();
      const reply = expectAnswer(await http.send(requestTo(receiver.url("/first"))));
      const seen = [reply.status, new TextDecoder().decode(reply.excerpt), reply.retryAfter];
      expectEqual(seen, [status, excerpt, undefined], "status, excerpt and Retry-After");
      const next = expectAnswer(await http.send(requestTo(receiver.url("/next"))));
      expectEqual([next.status, next.retryAfter], [NEXT, undefined], "status and Retry-After of the next answer");
    },
  };
}
