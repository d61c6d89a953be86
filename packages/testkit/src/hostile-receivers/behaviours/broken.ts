// Receivers whose answer is no HTTP, or not quite: whatever it is, it is a reply, and never a success by mistake.

import { answers, fails, type Habit, head, type Expected, saying } from "../hostile-receiver.js";
import type { ReceiverScript } from "../script.js";

const NOT_HTTP = fails("bad-response");
const EMPTY = "Content-Length: 0";
const CHUNKED = "Transfer-Encoding: chunked";

export const BROKEN: readonly Habit[] = [
  habit("garbage", "answers with bytes of no meaning", "\u0000\u00ff\u0007\u00fe\r\n\r\n"),
  habit("otherProtocol", "answers as a mail server does", "220 mail.example ESMTP\r\n"),
  habit("http09", "answers with a page and no status, as HTTP/0.9 did", "<html>all is well</html>"),
  habit("http2", "answers with a frame of HTTP/2", "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"),
  habit("oddVersion", "answers with HTTP/9.9", `HTTP/9.9 200 OK\r\n${EMPTY}\r\n\r\n`),
  habit("lfOnly", "ends its lines with LF alone", `HTTP/1.1 200 OK\n${EMPTY}\n\n`),
  habit("nulInHeader", "sends a header with a NUL", head(200, "X-Odd: a\u0000b", EMPTY)),
  habit("headerWithoutColon", "sends a header without a colon", head(200, "X-Odd", EMPTY)),
  habit("spaceBeforeColon", "sends a header with a space before its colon", head(200, "X-Odd : 1", EMPTY)),
  habit(
    "contentLengthAndChunked",
    "says both how long its body is and that it is chunked",
    `${head(200, "Content-Length: 5", CHUNKED)}0\r\n\r\n`,
  ),
  habit("twoContentLengths", "says two lengths", `${head(200, "Content-Length: 1", "Content-Length: 2")}ab`),
  habit("oddContentLength", "says a length that is no number", head(200, "Content-Length: some")),
  habit("status000", "answers 000", head("000", EMPTY)),
  habit("status099", "answers 099", head("099", EMPTY)),
  habit("status600", "answers 600", head(600, EMPTY)),
  habit("status999", "answers 999", head(999, EMPTY)),
  habit("status2000", "answers 2000", head(2000, EMPTY)),
  habit("statusWord", "answers OK in place of a number", head("OK", EMPTY)),
  habit("unasked100", "says 100, as if asked to, and then 200", head(100) + head(200, EMPTY)),
  habit("unasked101", "changes to another protocol", head(101, "Connection: Upgrade", "Upgrade: odd")),
  habit("badChunk", "answers 200, then sends a chunk that is none", `${head(200, CHUNKED)}zz\r\nab`, answers(200)),
  habit("badErrorChunk", "answers 500, then sends a chunk that is none", `${head(500, CHUNKED)}zz\r\nab`, answers(500)),
  habit("bodyOn204", "answers 204, and sends a body", `${head(204, "Content-Length: 5")}hello`, answers(204)),
  {
    name: "plainOn443",
    does: "speaks plain HTTP where TLS is due",
    script: { steps: [{ kind: "says", text: head(200, EMPTY) }], scheme: "https" },
    expected: fails("tls"),
  },
  {
    name: "tlsGarbage",
    does: "answers the greeting of TLS with bytes of no meaning",
    script: {
      steps: [{ kind: "says", text: "\u0016\u0003\u0003\u0000\u0004\u00ff\u00ff\u00ff\u00ff" }],
      scheme: "https",
    },
    expected: fails("tls"),
  },
];

function habit(name: string, does: string, text: string, expected: Expected = NOT_HTTP): Habit {
  const script: ReceiverScript = saying(text);
  return { name, does, script, expected };
}
