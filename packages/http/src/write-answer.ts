// Writes an answer to a response of node:http: a whole one in one piece, a streamed one as it comes, and an early one, before which the
// body was not read, so that its caller can read it. Must not know what is answered.

import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import type { Answer } from "./handler.js";
import { LINGER_AFTER_ANSWER_MS } from "./limits.js";
import type { RequestExchange } from "./read-request-body.js";
import { writeStream } from "./write-stream.js";

/** Resolves once the answer is written; `ended` is aborted once no answer may be streamed any more. */
export async function writeAnswer(
  { request, response }: Pick<RequestExchange, "request" | "response">,
  answer: Answer,
  ended: AbortSignal,
): Promise<void> {
  const { body } = answer;
  if (typeof body === "function") {
    setHead(response, answer);
    await writeStream(response, body, ended);
  } else if (request.readableEnded) sendWhole(response, answer, body);
  else sendAndLinger(response, answer, body);
}

/** Gives all headers at once, since one by one they cost more, unless a host has set some or watches when the head is written. */
function sendWhole(response: ServerResponse, answer: Answer, content: string | Uint8Array): void {
  const isPlain = response.getHeaderNames().length === 0 && !Object.hasOwn(response, "writeHead");
  if (isPlain && content.length > 0) {
    const head = answer.headers.flat();
    head.push("Content-Length", String(Buffer.byteLength(content)));
    response.writeHead(answer.status, head);
  } else setHead(response, answer);
  response.end(content);
}

// The rest of the body is not read. If the connection were closed at once, it would be reset, and the answer could be
// lost. So the whole answer is sent first, and the connection stays open for `LINGER_MS`, so that the caller can read
// the answer.
function sendAndLinger(response: ServerResponse, answer: Answer, content: string | Uint8Array): void {
  setHead(response, answer);
  response.setHeader("Connection", "close");
  response.setHeader("Content-Length", Buffer.byteLength(content));
  response.write(content);
  response.setTimeout(LINGER_AFTER_ANSWER_MS, () => {
    // Destroying the request closes the connection without creating an error; the request may be destroyed already.
    response.req.destroy();
    response.destroy();
  });
}

function setHead(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
}
