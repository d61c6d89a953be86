// Slow receivers: bytes that keep coming must not extend the timeout.

import {
  afterRequest,
  expectedAnswer,
  type HostileReceiver,
  answerHead,
  sayAfterRequest,
  EXPECTED_TIMEOUT,
} from "../hostile-receiver.js";

const EVERY_MS = 50;
const CHUNKED = "Transfer-Encoding: chunked";

export const SLOW_RECEIVERS: readonly HostileReceiver[] = [
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
