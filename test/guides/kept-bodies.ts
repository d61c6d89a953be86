// A receiver in this process that keeps the messages that it gets.

import { createServer } from "node:http";
import { close, listen } from "../loopback.js";

export interface KeptBodies {
  readonly url: string;
  messages(): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

export async function keptBodies(): Promise<KeptBodies> {
  const messages: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      messages.push(JSON.parse(Buffer.concat(chunks).toString()) as Readonly<Record<string, unknown>>);
      response.writeHead(204).end();
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${String(port)}`, messages: () => messages, close: () => close(server) };
}
