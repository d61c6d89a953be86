// Receivers whose connection ends early: the reply depends on whether a status line has come before.

import { afterRequest, expectedAnswer, expectedFault, type HostileReceiver, answerHead } from "../hostile-receiver.js";
import type { ScriptStep } from "../script.js";

const ENDS: ScriptStep = { kind: "ends" };
const RESETS: ScriptStep = { kind: "resets" };
/** A pause, so that the bytes are read before the connection breaks. */
const A_MOMENT: ScriptStep = { kind: "waits", delayMs: 50 };
const DONE = answerHead(204);
const HALF = `${answerHead(200, "Content-Length: 100")}half`;
const HALF_OF_ERROR = `${answerHead(500, "Content-Length: 100")}half`;

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
    script: afterRequest({ kind: "says", text: HALF }, ENDS),
    expected: expectedAnswer(200),
  },
  {
    name: "truncated500",
    does: "answers 500, and closes in the body",
    script: afterRequest({ kind: "says", text: HALF_OF_ERROR }, ENDS),
    expected: expectedAnswer(500),
  },
  {
    name: "resetMidBody",
    does: "answers 200, and breaks off in the body",
    script: afterRequest({ kind: "says", text: HALF }, A_MOMENT, RESETS),
    expected: expectedAnswer(200),
  },
  {
    name: "resetMidErrorBody",
    does: "answers 500, and breaks off in the body",
    script: afterRequest({ kind: "says", text: HALF_OF_ERROR }, A_MOMENT, RESETS),
    expected: expectedAnswer(500),
  },
  {
    name: "closeAfterFirst",
    does: "answers 204 as if it stayed, and closes",
    script: afterRequest({ kind: "says", text: DONE }, ENDS),
    expected: expectedAnswer(204),
  },
  {
    name: "secondResponseOnIdle",
    does: "answers 204, and later 299 without being asked",
    script: afterRequest({ kind: "says", text: DONE }, A_MOMENT, {
      kind: "says",
      text: answerHead(299, "Content-Length: 0"),
    }),
    expected: expectedAnswer(204),
  },
  {
    name: "secondResponseAtOnce",
    does: "answers 204, and 299 in the same breath",
    script: afterRequest({ kind: "says", text: DONE + answerHead(299, "Content-Length: 0") }),
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
