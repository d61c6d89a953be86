// A receiver whose answers a test may change while it runs.

import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { close, listen } from "../../loopback.js";
import type { ConfigJson } from "../../postrider/config-file.js";

export interface ChangingReceiver {
  readonly url: string;
  /** The status and the text of each answer from now on. */
  answer: { readonly status: number; readonly text?: string };
  /** How many messages were answered with this status, each counted once: a slow machine makes a request time out and come again. */
  answered(status: number): number;
}

export async function changingReceiver(status = 200, text = ""): Promise<ChangingReceiver> {
  const messages = new Map<number, Set<string>>();
  const receiver: Pick<ChangingReceiver, "answer"> = { answer: { status, text } };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const { status: code, text: body = "" } = receiver.answer;
      const { messageId } = JSON.parse(Buffer.concat(chunks).toString());
      messages.set(code, (messages.get(code) ?? new Set()).add(messageId));
      response.writeHead(code, { "content-type": "text/html" }).end(body);
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  const url = `http://127.0.0.1:${String(port)}/hook`;
  return Object.assign(receiver, { url, answered: (code: number) => messages.get(code)?.size ?? 0 });
}

export interface SignedReceiver {
  readonly url: string;
  /** What has come, oldest first. */
  received(): readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
}

/** A receiver that answers 200 and keeps what it gets, to look at signatures. */
export async function signedReceiver(): Promise<SignedReceiver> {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end("thank you");
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}/hook`, received: () => received };
}

/** The destinations of a config, each with one endpoint. */
export function destinationsAt(urls: Readonly<Record<string, string>>): ConfigJson {
  const destinations = Object.entries(urls).map(([id, url]) => ({ id, sources: ["website"], endpoints: [{ url }] }));
  return { destinations };
}
