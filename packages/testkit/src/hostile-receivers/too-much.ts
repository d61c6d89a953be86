// Receivers that send too much, so that an adapter must limit what it reads, holds and decompresses, and receivers
// whose connection ends early, so that the reply depends on whether a status line came.

import { Buffer } from "node:buffer";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import {
  afterRequest,
  expectedAnswer,
  expectedFault,
  type HostileReceiver,
  answerHead,
  sayAfterRequest,
  type ReceiverScript,
  type ScriptStep,
} from "./hostile-receiver.js";

const KIB = 1_024;

const MIB = 1_024 * KIB;

/** The size of a flood: far more than an adapter reads. */
const TEN_GB = 10_000_000_000;

const CHUNKED = "Transfer-Encoding: chunked";

const KIB_16 = "x".repeat(16 * KIB);

const CHUNK = `4000\r\n${KIB_16}\r\n`;

export const OVERSIZED_ANSWER_RECEIVERS: readonly HostileReceiver[] = [
  {
    name: "endlessBody",
    does: "answers 200, then sends 10 GB until the connection ends",
    script: floodScript(answerHead(200), KIB_16),
    expected: expectedAnswer(200),
  },
  {
    name: "endlessErrorBody",
    does: "answers 500, then sends 10 GB until the connection ends",
    script: floodScript(answerHead(500), KIB_16),
    expected: expectedAnswer(500),
  },
  {
    name: "endlessChunks",
    does: "answers 200, then sends 10 GB in chunks",
    script: floodScript(answerHead(200, CHUNKED), CHUNK),
    expected: expectedAnswer(200),
  },
  {
    name: "endlessErrorChunks",
    does: "answers 500, then sends 10 GB in chunks",
    script: floodScript(answerHead(500, CHUNKED), CHUNK),
    expected: expectedAnswer(500),
  },
  {
    name: "tinyChunks",
    does: "answers 500, then sends 10 GB in chunks of one byte",
    script: floodScript(answerHead(500, CHUNKED), "1\r\na\r\n".repeat(2_000)),
    expected: expectedAnswer(500),
  },
  {
    name: "hugeHeaders",
    does: "sends a header of 1 MB",
    script: sayAfterRequest(answerHead(200, `X-Huge: ${"a".repeat(1_000_000)}`)),
    expected: expectedAnswer(200),
  },
  {
    name: "manyHeaders",
    does: "sends 10,000 headers",
    script: sayAfterRequest(answerHead(200, ...Array.from({ length: 10_000 }, (_, index) => `X-${String(index)}: 1`))),
    expected: expectedAnswer(200),
  },
  {
    name: "endlessStatusText",
    does: "answers 200, with a reason of 10 GB",
    script: floodScript("HTTP/1.1 200 ", KIB_16),
    expected: expectedFault("bad-response"),
  },
  {
    name: "endlessHeader",
    does: "sends a header of 10 GB",
    script: floodScript("HTTP/1.1 200 OK\r\nX-Endless: ", KIB_16),
    expected: expectedAnswer(200),
  },
  {
    name: "flood1xx",
    does: "sends interim answers (103) without end, as fast as they are taken",
    script: floodScript("", answerHead(103).repeat(1_000)),
    expected: expectedFault("bad-response"),
  },
  {
    name: "endlessChunkExtension",
    does: "answers 500, then sends the extension of a chunk without end",
    script: floodScript(`${answerHead(500, CHUNKED)}1;a=`, KIB_16),
    expected: expectedAnswer(500),
  },
  {
    name: "endlessTrailers",
    does: "answers 500, then sends trailers without end",
    script: floodScript(`${answerHead(500, CHUNKED)}0\r\n`, `X-Trailer: ${"a".repeat(1_000)}\r\n`),
    expected: expectedAnswer(500),
  },
  bomb("gzipBomb", "gzip", gzipSync(Buffer.alloc(16 * MIB))),
  bomb("deflateBomb", "deflate", deflateSync(Buffer.alloc(16 * MIB))),
  bomb("brBomb", "br", brotli(Buffer.alloc(16 * MIB))),
  {
    name: "manyEncodings",
    does: "says that its body is zipped 1,000 times over",
    script: sayAfterRequest(
      `${answerHead(500, `Content-Encoding: ${"gzip, ".repeat(1_000)}gzip`, "Content-Length: 2")}xx`,
    ),
    expected: expectedAnswer(500),
  },
];

/** Reads a request, sends the opening, and then sends the text again and again. */
function floodScript(opening: string, text: string): ReceiverScript {
  return afterRequest({ kind: "says", text: opening }, { kind: "floods", text, bytes: TEN_GB });
}

/** Answers 500 with 16 MiB of zeros, compressed. */
function bomb(name: string, encoding: string, bytes: Buffer): HostileReceiver {
  const head = answerHead(500, `Content-Encoding: ${encoding}`, `Content-Length: ${String(bytes.length)}`);
  const does = `answers 500 with ${String(bytes.length)} bytes of ${encoding} that hold 16 MiB`;
  return { name, does, script: sayAfterRequest(head + bytes.toString("latin1")), expected: expectedAnswer(500) };
}

function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

const ENDS: ScriptStep = { kind: "ends" };

const RESETS: ScriptStep = { kind: "resets" };

/** A pause, so that the bytes are read before the connection breaks. */
const A_MOMENT: ScriptStep = { kind: "waits", delayMs: 50 };

const ANSWER_204 = answerHead(204);

const HALF_ANSWER = `${answerHead(200, "Content-Length: 100")}half`;

const HALF_ERROR_ANSWER = `${answerHead(500, "Content-Length: 100")}half`;

export const DISCONNECTING_RECEIVERS: readonly HostileReceiver[] = [
  {
    name: "earlyClose",
    does: "closes the connection as soon as it is made",
    script: { steps: [ENDS] },
    expected: expectedFault("connection-closed"),
  },
  {
    name: "closeAfterRequest",
    does: "reads the request and closes",
    script: afterRequest(ENDS),
    expected: expectedFault("connection-closed"),
  },
  {
    name: "resetBeforeRequest",
    does: "breaks off as soon as the connection is made",
    script: { steps: [RESETS] },
    expected: expectedFault("connection-reset"),
  },
  {
    name: "resetAfterRequest",
    does: "reads the request and breaks off",
    script: afterRequest(RESETS),
    expected: expectedFault("connection-reset"),
  },
  {
    name: "truncatedStatusLine",
    does: "closes in its status line",
    script: afterRequest({ kind: "says", text: "HTTP/1.1 2" }, ENDS),
    expected: expectedFault("connection-closed"),
  },
  {
    name: "truncatedHeaders",
    does: "closes in its headers",
    script: afterRequest({ kind: "says", text: "HTTP/1.1 200 OK\r\nX-Half: " }, ENDS),
    expected: expectedAnswer(200),
  },
  {
    name: "truncated200",
    does: "answers 200, and closes in the body",
    script: afterRequest({ kind: "says", text: HALF_ANSWER }, ENDS),
    expected: expectedAnswer(200),
  },
  {
    name: "truncated500",
    does: "answers 500, and closes in the body",
    script: afterRequest({ kind: "says", text: HALF_ERROR_ANSWER }, ENDS),
    expected: expectedAnswer(500),
  },
  {
    name: "resetMidBody",
    does: "answers 200, and breaks off in the body",
    script: afterRequest({ kind: "says", text: HALF_ANSWER }, A_MOMENT, RESETS),
    expected: expectedAnswer(200),
  },
  {
    name: "resetMidErrorBody",
    does: "answers 500, and breaks off in the body",
    script: afterRequest({ kind: "says", text: HALF_ERROR_ANSWER }, A_MOMENT, RESETS),
    expected: expectedAnswer(500),
  },
  {
    name: "closeAfterFirst",
    does: "answers 204 as if it stayed, and closes",
    script: afterRequest({ kind: "says", text: ANSWER_204 }, ENDS),
    expected: expectedAnswer(204),
  },
  {
    name: "secondResponseOnIdle",
    does: "answers 204, and later 299 without being asked",
    script: afterRequest({ kind: "says", text: ANSWER_204 }, A_MOMENT, {
      kind: "says",
      text: answerHead(299, "Content-Length: 0"),
    }),
    expected: expectedAnswer(204),
  },
  {
    name: "secondResponseAtOnce",
    does: "answers 204, and 299 in the same breath",
    script: afterRequest({ kind: "says", text: ANSWER_204 + answerHead(299, "Content-Length: 0") }),
    expected: expectedAnswer(204),
  },
  {
    name: "storesThenDies",
    does: "reads the request, and is gone for good",
    script: afterRequest({ kind: "dies" }),
    expected: expectedFault("connection-closed"),
  },
  {
    name: "tlsClose",
    does: "closes in the handshake of TLS",
    script: { steps: [A_MOMENT, ENDS], scheme: "https" },
    expected: expectedFault("connection-reset"),
  },
  {
    name: "tlsReset",
    does: "breaks off in the handshake of TLS",
    script: { steps: [A_MOMENT, RESETS], scheme: "https" },
    expected: expectedFault("connection-reset"),
  },
];
