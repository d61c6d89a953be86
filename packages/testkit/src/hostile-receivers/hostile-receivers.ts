// The list of all hostile receivers, and those that are slow or answer with invalid HTTP. A misbehaviour that is found
// in production is added as a `HostileReceiver`.

import {
  afterRequest,
  expectedAnswer,
  type HostileReceiver,
  answerHead,
  sayAfterRequest,
  EXPECTED_TIMEOUT,
  expectedFault,
  type ExpectedReply,
  type ReceiverScript,
} from "./hostile-receiver.js";
import { DISCONNECTING_RECEIVERS, OVERSIZED_ANSWER_RECEIVERS } from "./too-much.js";

const EVERY_MS = 50;

const CHUNKED = "Transfer-Encoding: chunked";

const SLOW_RECEIVERS: readonly HostileReceiver[] = [
  {
    name: "acceptAndHang",
    does: "takes the connection and does nothing",
    script: { steps: [] },
    expected: EXPECTED_TIMEOUT,
  },
  {
    name: "readAndHang",
    does: "reads the request and never answers",
    script: afterRequest(),
    expected: EXPECTED_TIMEOUT,
  },
  {
    name: "dripStatusLine",
    does: "sends a status line without end, a byte at a time",
    script: afterRequest({ kind: "says", text: "HTTP/1.1 200 " }, { kind: "drips", text: "O", everyMs: EVERY_MS }),
    expected: EXPECTED_TIMEOUT,
  },
  {
    name: "dripHeaders",
    does: "sends headers without end, a line at a time",
    script: afterRequest(
      { kind: "says", text: "HTTP/1.1 200 OK\r\n" },
      { kind: "drips", text: "X-Slow: 1\r\n", everyMs: EVERY_MS },
    ),
    expected: expectedAnswer(200),
  },
  {
    name: "endless1xx",
    does: "sends interim answers (103) without end",
    script: afterRequest({ kind: "drips", text: answerHead(103), everyMs: EVERY_MS }),
    expected: EXPECTED_TIMEOUT,
  },
  {
    name: "dripBody",
    does: "answers 200, then sends a body without end, a byte at a time",
    script: afterRequest(
      { kind: "says", text: answerHead(200, CHUNKED) },
      { kind: "drips", text: "1\r\na\r\n", everyMs: EVERY_MS },
    ),
    expected: expectedAnswer(200),
  },
  {
    name: "dripErrorBody",
    does: "answers 500, then sends a body without end, a byte at a time",
    script: afterRequest(
      { kind: "says", text: answerHead(500, CHUNKED) },
      { kind: "drips", text: "1\r\na\r\n", everyMs: EVERY_MS },
    ),
    expected: { kind: "answered", status: 500, takes: "all its time" },
  },
  {
    name: "hangInBody",
    does: "answers 200 with a body of 100 bytes, and sends 7 of them",
    script: sayAfterRequest(`${answerHead(200, "Content-Length: 100")}so far,`),
    expected: expectedAnswer(200),
  },
  {
    name: "tlsStall",
    does: "takes the connection, and never begins with TLS",
    script: { steps: [], scheme: "https" },
    expected: EXPECTED_TIMEOUT,
  },
];

const NOT_HTTP = expectedFault("bad-response");

/** The reply of an adapter that trusts a status line, whatever comes after it. */
const SUCCESS = expectedAnswer(200);

const NO_BODY = "Content-Length: 0";

const INVALID_HTTP_RECEIVERS: readonly HostileReceiver[] = [
  receiver("garbage", "answers with bytes of no meaning", "\u0000\u00ff\u0007\u00fe\r\n\r\n"),
  receiver("otherProtocol", "answers as a mail server does", "220 mail.example ESMTP\r\n"),
  receiver("http09", "answers with a page and no status, as HTTP/0.9 did", "<html>all is well</html>"),
  receiver("http2", "answers with a frame of HTTP/2", "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"),
  receiver("oddVersion", "answers with HTTP/9.9", `HTTP/9.9 200 OK\r\n${NO_BODY}\r\n\r\n`),
  receiver("lfOnly", "ends its lines with LF alone", `HTTP/1.1 200 OK\n${NO_BODY}\n\n`, SUCCESS),
  receiver("nulInHeader", "sends a header with a NUL", answerHead(200, "X-Odd: a\u0000b", NO_BODY), SUCCESS),
  receiver("headerWithoutColon", "sends a header without a colon", answerHead(200, "X-Odd", NO_BODY), SUCCESS),
  receiver(
    "spaceBeforeColon",
    "sends a header with a space before its colon",
    answerHead(200, "X-Odd : 1", NO_BODY),
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
  receiver("status000", "answers 000", answerHead("000", NO_BODY)),
  receiver("status099", "answers 099", answerHead("099", NO_BODY)),
  receiver("status600", "answers 600", answerHead(600, NO_BODY)),
  receiver("status999", "answers 999", answerHead(999, NO_BODY)),
  receiver("status2000", "answers 2000", answerHead(2000, NO_BODY)),
  receiver("statusWord", "answers OK in place of a number", answerHead("OK", NO_BODY)),
  receiver("unasked100", "says 100, as if asked to, and then 200", answerHead(100) + answerHead(200, NO_BODY), SUCCESS),
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
    script: { steps: [{ kind: "says", text: answerHead(200, NO_BODY) }], scheme: "https" },
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

/** A well-behaved receiver: it answers each request with this status and an empty body. */
export function answeringScript(status: number): ReceiverScript {
  const text = answerHead(status, "Content-Length: 0");
  return { steps: [{ kind: "reads" }, { kind: "says", text }, { kind: "repeats" }] };
}

/** All hostile receivers, and two that behave well. Each name is unique. */
export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [
  { name: "accepts", does: "answers 200", script: answeringScript(200), expected: expectedAnswer(200) },
  { name: "refuses", does: "answers 404", script: answeringScript(404), expected: expectedAnswer(404) },
  ...SLOW_RECEIVERS,
  ...OVERSIZED_ANSWER_RECEIVERS,
  ...INVALID_HTTP_RECEIVERS,
  ...DISCONNECTING_RECEIVERS,
];
