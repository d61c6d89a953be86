// Receivers whose answer is not valid HTTP. It always leads to a reply, and to a success only if the head of the answer
// is valid.

import { answers, fails, type HostileReceiver, head, type Expected, saying } from "../hostile-receiver.js";
import type { ReceiverScript } from "../script.js";

const NOT_HTTP = fails("bad-response");
const EMPTY = "Content-Length: 0";
const CHUNKED = "Transfer-Encoding: chunked";

export const BROKEN: readonly HostileReceiver[] = [
  receiver("garbage", "answers with bytes of no meaning", "\u0000\u00ff\u0007\u00fe\r\n\r\n"),
  receiver("otherProtocol", "answers as a mail server does", "220 mail.example ESMTP\r\n"),
  receiver("http09", "answers with a page and no status, as HTTP/0.9 did", "<html>all is well</html>"),
  receiver("http2", "answers with a frame of HTTP/2", "\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"),
  receiver("oddVersion", "answers with HTTP/9.9", `HTTP/9.9 200 OK\r\n${EMPTY}\r\n\r\n`),
  receiver("lfOnly", "ends its lines with LF alone", `HTTP/1.1 200 OK\n${EMPTY}\n\n`),
  receiver("nulInHeader", "sends a header with a NUL", head(200, "X-Odd: a\u0000b", EMPTY)),
  receiver("headerWithoutColon", "sends a header without a colon", head(200, "X-Odd", EMPTY)),
  receiver("spaceBeforeColon", "sends a header with a space before its colon", head(200, "X-Odd : 1", EMPTY)),
  receiver(
    "contentLengthAndChunked",
    "says both how long its body is and that it is chunked",
    `${head(200, "Content-Length: 5", CHUNKED)}0\r\n\r\n`,
  ),
  receiver("twoContentLengths", "says two lengths", `${head(200, "Content-Length: 1", "Content-Length: 2")}ab`),
  receiver("oddContentLength", "says a length that is no number", head(200, "Content-Length: some")),
  receiver("status000", "answers 000", head("000", EMPTY)),
  receiver("status099", "answers 099", head("099", EMPTY)),
  receiver("status600", "answers 600", head(600, EMPTY)),
  receiver("status999", "answers 999", head(999, EMPTY)),
  receiver("status2000", "answers 2000", head(2000, EMPTY)),
  receiver("statusWord", "answers OK in place of a number", head("OK", EMPTY)),
  receiver("unasked100", "says 100, as if asked to, and then 200", head(100) + head(200, EMPTY)),
  receiver("unasked101", "changes to another protocol", head(101, "Connection: Upgrade", "Upgrade: odd")),
  receiver("badChunk", "answers 200, then sends a chunk that is none", `${head(200, CHUNKED)}zz\r\nab`, answers(200)),
  receiver(
    "badErrorChunk",
    "answers 500, then sends a chunk that is none",
    `${head(500, CHUNKED)}zz\r\nab`,
    answers(500),
  ),
  receiver("bodyOn204", "answers 204, and sends a body", `${head(204, "Content-Length: 5")}hello`, answers(204)),
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

function receiver(name: string, does: string, text: string, expected: Expected = NOT_HTTP): HostileReceiver {
  const script: ReceiverScript = saying(text);
  return { name, does, script, expected };
}
