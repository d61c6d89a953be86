// Slow receivers: bytes that keep coming must not extend the timeout.

import { afterRequest, answers, type HostileReceiver, head, saying, TIMES_OUT } from "../hostile-receiver.js";

const EVERY_MS = 50;
const CHUNKED = "Transfer-Encoding: chunked";

export const SLOW: readonly HostileReceiver[] = [
  { name: "acceptAndHang", does: "takes the connection and does nothing", script: { steps: [] }, expected: TIMES_OUT },
  { name: "readAndHang", does: "reads the request and never answers", script: afterRequest(), expected: TIMES_OUT },
  {
    name: "dripStatusLine",
    does: "sends a status line without end, a byte at a time",
    script: afterRequest({ kind: "says", text: "HTTP/1.1 200 " }, { kind: "drips", text: "O", everyMs: EVERY_MS }),
    expected: TIMES_OUT,
  },
  {
    name: "dripHeaders",
    does: "sends headers without end, a line at a time",
    script: afterRequest(
      { kind: "says", text: "HTTP/1.1 200 OK\r\n" },
      { kind: "drips", text: "X-Slow: 1\r\n", everyMs: EVERY_MS },
    ),
    expected: TIMES_OUT,
  },
  {
    name: "endless1xx",
    does: "sends interim answers (103) without end",
    script: afterRequest({ kind: "drips", text: head(103), everyMs: EVERY_MS }),
    expected: TIMES_OUT,
  },
  {
    name: "dripBody",
    does: "answers 200, then sends a body without end, a byte at a time",
    script: afterRequest(
      { kind: "says", text: head(200, CHUNKED) },
      { kind: "drips", text: "1\r\na\r\n", everyMs: EVERY_MS },
    ),
    expected: answers(200),
  },
  {
    name: "dripErrorBody",
    does: "answers 500, then sends a body without end, a byte at a time",
    script: afterRequest(
      { kind: "says", text: head(500, CHUNKED) },
      { kind: "drips", text: "1\r\na\r\n", everyMs: EVERY_MS },
    ),
    expected: { kind: "answered", status: 500, takes: "all its time" },
  },
  {
    name: "hangInBody",
    does: "answers 200 with a body of 100 bytes, and sends 7 of them",
    script: saying(`${head(200, "Content-Length: 100")}so far,`),
    expected: answers(200),
  },
  {
    name: "tlsStall",
    does: "takes the connection, and never begins with TLS",
    script: { steps: [], scheme: "https" },
    expected: TIMES_OUT,
  },
];
