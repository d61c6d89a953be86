// Receivers on 127.0.0.1 for the HTTP contract: real servers that record requests, and raw ones that break the rules.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type EndpointId, endpointId } from "@postrider/core";
import type { TlsIdentity } from "./certificates.js";

export interface Receiver {
  readonly port: number;
  url(path?: string, host?: string): EndpointId;
  /** Complete requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Connections ever made, and those open now. */
  connections(): number;
  openConnections(): number;
  /** Requests whose connection ended before their answer was complete. */
  cutOff(): number;
  /** Bytes that arrived at a raw receiver; with TLS, only the decrypted bytes. 0 for a receiver that speaks HTTP. */
  bytesSeen(): number;
  close(): Promise<void>;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** As they were on the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Answers a request; `response.socket` is for cases that break the rules. */
export type AnswerRequest = (response: ServerResponse, request: RecordedRequest) => void;

/** A receiver that speaks HTTP and answers as told. */
export function startHttpReceiver(answer: AnswerRequest, identity?: TlsIdentity): Promise<Receiver> {
  const requests: RecordedRequest[] = [];
  let cutOff = 0;
  const take = (incoming: IncomingMessage, response: ServerResponse): void => {
    const parts: Uint8Array[] = [];
    response.on("close", () => {
      if (!response.writableFinished) cutOff += 1;
    });
    incoming.on("data", (part: Uint8Array) => parts.push(part));
    incoming.on("end", () => {
      const request = describe(incoming, Buffer.concat(parts));
      requests.push(request);
      answer(response, request);
    });
  };
  const server = identity === undefined ? createHttpServer(take) : createHttpsServer({ ...identity }, take);
  return open(server, { isTls: identity !== undefined, requests, cutOff: () => cutOff, bytesSeen: () => 0 });
}

/** A receiver that does not speak HTTP: `greet` is called with each new connection. */
export function startRawReceiver(greet: (socket: Socket) => void, identity?: TlsIdentity): Promise<Receiver> {
  let bytes = 0;
  const take = (socket: Socket): void => {
    socket.on("error", ignore).on("data", (part: Uint8Array) => {
      bytes += part.length;
    });
    greet(socket);
  };
  const server = identity === undefined ? createTcpServer(take) : createTlsServer({ ...identity }, take);
  return open(server, { isTls: identity !== undefined, requests: [], cutOff: () => 0, bytesSeen: () => bytes });
}

/** A port on which no process listens. */
export async function findClosedPort(): Promise<number> {
  const receiver = await startRawReceiver(ignore);
  await receiver.close();
  return receiver.port;
}

interface Notes {
  readonly isTls: boolean;
  readonly requests: readonly RecordedRequest[];
  readonly cutOff: () => number;
  readonly bytesSeen: () => number;
}

async function open(server: Server, { isTls, requests, cutOff, bytesSeen }: Notes): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("tlsClientError", ignore).on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", ignore).on("close", () => sockets.delete(socket));
  });
  const port = await startListening(server);
  return {
    port,
    url: (path = "/", host = "127.0.0.1") => endpointId(`${isTls ? "https" : "http"}://${host}:${String(port)}${path}`),
    requests,
    cutOff,
    bytesSeen,
    connections: () => connections,
    openConnections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function startListening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function describe({ method, url, rawHeaders }: IncomingMessage, body: Uint8Array): RecordedRequest {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const headers = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ""] as const);
  return { method: method ?? "", path: url ?? "", headers, body };
}

function ignore(): void {
  // Errors of sockets are expected here: a case checks what the adapter does.
}
