// A webhook receiver for trials: reads each POST, verifies its signature, answers as configured and reports the message, which can be
// written as one line. Used by `postrider listen` and the demo.

import { type Clock, type EpochMs, type JsonObject, verifySignature } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { parseObject } from "../parse-object.js";

export interface ReceiverOptions {
  /** The secret of the sender; if absent, signatures are not verified. */
  readonly secret?: string;
  /** The status to answer with. */
  readonly status: number;
  /** The wait before the answer. */
  readonly delayMs: number;
  readonly clock: Clock;
  /** Called for each POST, before the answer. */
  readonly onReceived: (received: ReceivedMessage) => void;
}

export interface ReceivedMessage {
  readonly at: EpochMs;
  readonly signature: "ok" | "wrong" | "missing" | "not checked";
  /** The body as text. */
  readonly text: string;
  /** The body as a message; undefined if it is not a JSON object. */
  readonly message: JsonObject | undefined;
}

/** The longest body that is read. A message is much shorter: a call has at most 32 KB. */
const MAX_BODY_BYTES = 1_048_576;

/** Creates the receiver: a server that does not listen yet. */
export function createReceiver(options: ReceiverOptions): Server {
  return createServer((request, response) => {
    if (request.method !== "POST") {
      request.resume();
      answer(response, 405);
      return;
    }
    receive(request, options).then(
      (status) => void options.clock.after(options.delayMs, () => answer(response, status)),
      () => response.destroy(),
    );
  });
}

async function receive(request: IncomingMessage, options: ReceiverOptions): Promise<number> {
  const body = await readBody(request);
  if (body === undefined) return 413;
  const header = request.headers["x-signature"];
  const text = new TextDecoder().decode(body);
  options.onReceived({
    at: options.clock.wall(),
    signature: judgeSignature(options.secret, body, typeof header === "string" ? header : undefined),
    text,
    message: parseObject(text),
  });
  return options.status;
}

/** Reads the body; undefined if it is too long. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function judgeSignature(
  secret: string | undefined,
  body: Uint8Array,
  header: string | undefined,
): ReceivedMessage["signature"] {
  if (secret === undefined) return "not checked";
  if (header === undefined) return "missing";
  return verifySignature(secret, body, header) ? "ok" : "wrong";
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": "0" }).end();
}

/** `2026-01-31T12:00:00.000Z  track  signature ok  {"version":1,…}`; a body that is not a JSON object is quoted. */
export function receivedLine({ at, signature, message, text }: ReceivedMessage): string {
  const body = JSON.stringify(message ?? text);
  return `${formatTimestamp(at)}  ${kindOf(message)}  signature ${signature}  ${body}`;
}

function kindOf(message: ReceivedMessage["message"]): string {
  const type = message?.["type"];
  return typeof type === "string" && /^[a-z]+$/.test(type) ? type : "unknown";
}
