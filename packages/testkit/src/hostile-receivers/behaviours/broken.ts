// Receivers whose answer is not valid HTTP. Each answer leads to a reply: to an answered one if its head is valid or its status
// line is that of a success, else to silence.

import {
  expectedAnswer,
  expectedFault,
  type HostileReceiver,
  answerHead,
  type ExpectedReply,
  sayAfterRequest,
} from "../hostile-receiver.js";
import type { ReceiverScript } from "../script.js";

const NOT_HTTP = expectedFault("bad-response");
/** Of an adapter that takes the word of a status line. */
const SUCCESS = expectedAnswer(200);
const EMPTY = "Content-Length: 0";
const CHUNKED = "Transfer-Encoding: chunked";

export const INVALID_HTTP_RECEIVERS: readonly HostileReceiver[] = [
  receiver("garbage", "answers with bytes of no meaning", "\u0000\u00ff\u0007\u00fe\r\n\r\n"),
  receiver("otherProtocol", "answers as a mail server does", "220 mail.example ESMTP\r\n"),
  receiver("http09", "answers with a page and no status, as HTTP/0.9 did", "<html>all is well</html>"),
  receiver("http2", "answers with a frame of HTTP/2", "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"),
  receiver("oddVersion", "answers with HTTP/9.9", `HTTP/9.9 200 OK\r\n${EMPTY}\r\n\r\n`),
  receiver("lfOnly", "ends its lines with LF alone", `HTTP/1.1 200 OK\n${EMPTY}\n\n`, SUCCESS),
  receiver("nulInHeader", "sends a header with a NUL", answerHead(200, "X-Odd: a\u0000b", EMPTY), SUCCESS),
  receiver("headerWithoutColon", "sends a header without a colon", answerHead(200, "X-Odd", EMPTY), SUCCESS),
  receiver(
    "spaceBeforeColon",
    "sends a header with a space before its colon",
    answerHead(200, "X-Odd : 1", EMPTY),
    SUCCESS,
  ),
  receiver(
    "contentLengthAndChunked",
    "says both how long its body is and that it is chunked",
    `${answerHead(200, "Content-Length: 5", CHUNKED)}0\r\n\r\n`,
    SUCCESS,
  ),
  receiver(
    "oddErrorHead",
    "answers 500, then says two lengths",
    `${answerHead(500, "Content-Length: 1", "Content-Length: 2")}ab`,
  ),
  receiver(
    "twoContentLengths",
    "says two lengths",
    `${answerHead(200, "Content-Length: 1", "Content-Length: 2")}ab`,
    SUCCESS,
  ),
  receiver("oddContentLength", "says a length that is no number", answerHead(200, "Content-Length: some"), SUCCESS),
  receiver("status000", "answers 000", answerHead("000", EMPTY)),
  receiver("status099", "answers 099", answerHead("099", EMPTY)),
  receiver("status600", "answers 600", answerHead(600, EMPTY)),
  receiver("status999", "answers 999", answerHead(999, EMPTY)),
  receiver("status2000", "answers 2000", answerHead(2000, EMPTY)),
  receiver("statusWord", "answers OK in place of a number", answerHead("OK", EMPTY)),
  receiver("unasked100", "says 100, as if asked to, and then 200", answerHead(100) + answerHead(200, EMPTY), SUCCESS),
  receiver("unasked101", "changes to another protocol", answerHead(101, "Connection: Upgrade", "Upgrade: odd")),
  receiver("badChunk", "answers 200, then sends a chunk that is none", `${answerHead(200, CHUNKED)}zz\r\nab`, SUCCESS),
  receiver(
    "badErrorChunk",
    "answers 500, then sends a chunk that is none",
    `${answerHead(500, CHUNKED)}zz\r\nab`,
    expectedAnswer(500),
  ),
  receiver(
    "bodyOn204",
    "answers 204, and sends a body",
    `${answerHead(204, "Content-Length: 5")}hello`,
    expectedAnswer(204),
  ),
  {
    name: "plainOn443",
    does: "speaks plain HTTP where TLS is due",
    script: { steps: [{ kind: "says", text: answerHead(200, EMPTY) }], scheme: "https" },
    expected: expectedFault("tls"),
  },
  {
    name: "tlsGarbage",
    does: "answers the greeting of TLS with bytes of no meaning",
    script: {
      steps: [{ kind: "says", text: "\u0016\u0003\u0003\u0000\u0004\u00ff\u00ff\u00ff\u00ff" }],
      scheme: "https",
    },
    expected: expectedFault("tls"),
  },
];

function receiver(name: string, does: string, text: string, expected: ExpectedReply = NOT_HTTP): HostileReceiver {
  const script: ReceiverScript = sayAfterRequest(text);
  return { name, does, script, expected };
}
