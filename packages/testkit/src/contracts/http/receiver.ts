// Receivers on 127.0.0.1 for the HTTP contract: real servers that record requests, and raw ones that break the rules.
// They read HTTP/1.1 with Content-Length only: of another request, only the head is noticed.

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
  /** Requests of any method of which at least the first line came. */
  requestsBegun(): number;
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

/** The options of a receiver that speaks HTTP. */
export interface ReceiverManner {
  /** The certificate; with it, the receiver speaks TLS. */
  readonly identity?: TlsIdentity | undefined;
  /** 127.0.0.1 if absent. */
  readonly host?: string;
  /** Called for each connection, which is read, or starts TLS, only once this resolves. At once if absent. */
  readonly delay?: () => Promise<void>;
}

/** A receiver that speaks HTTP, and answers each request by `answer`. */
export function startHttpReceiver(answer: AnswerRequest, manner: ReceiverManner = {}): Promise<Receiver> {
  const { identity, host, delay } = manner;
  const requests: RecordedRequest[] = [];
  let cutOff = 0;
  let begun = 0;
  const take = (incoming: IncomingMessage, response: ServerResponse): void => {
    begun += 1;
    const chunks: Uint8Array[] = [];
    response.on("close", () => {
      if (!response.writableFinished) cutOff += 1;
    });
    incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    incoming.on("end", () => {
      const request = describe(incoming, Buffer.concat(chunks));
      requests.push(request);
      answer(response, request);
    });
  };
  const server = identity === undefined ? createHttpServer(take) : createHttpsServer({ ...identity }, take);
  const parts = { requests, begun: () => begun, cutOff: () => cutOff, bytesSeen: () => 0 };
  return openReceiver(delay === undefined ? server : delayServer(server, delay), {
    isTls: identity !== undefined,
    host,
    ...parts,
  });
}

/** The acts of a raw receiver on a connection: at its start, at the head of each request, and at its last byte. */
export interface RawManner {
  readonly greet?: (socket: Socket) => void;
  /** `turn` counts the requests of the receiver, from 0. */
  readonly onHead?: (socket: Socket, turn: number) => void;
  readonly onRequest?: (socket: Socket, turn: number) => void;
}

/** A receiver that writes bytes by hand, HTTP or not. */
export function startRawReceiver(
  { greet = ignore, onHead = ignore, onRequest = ignore }: RawManner,
  identity?: TlsIdentity,
): Promise<Receiver> {
  let bytes = 0;
  let begun = 0;
  const take = (socket: Socket): void => {
    let turn = 0;
    const reader = createRequestReader({
      onBegin() {
        turn = begun;
        begun += 1;
      },
      onHead: () => onHead(socket, turn),
      onEnd: () => onRequest(socket, turn),
    });
    socket.on("error", ignore).on("data", (part: Uint8Array) => {
      bytes += part.length;
      reader.add(part);
    });
    greet(socket);
  };
  const server = identity === undefined ? createTcpServer(take) : createTlsServer({ ...identity }, take);
  const parts = { requests: [], begun: () => begun, cutOff: () => 0, bytesSeen: () => bytes };
  return openReceiver(server, { isTls: identity !== undefined, ...parts });
}

/** A server that hands each connection on to another one after a delay. No byte of it is read before. */
function delayServer(server: Server, delay: () => Promise<void>): Server {
  return createTcpServer({ pauseOnConnect: true }, (socket) => {
    socket.on("error", ignore);
    void delay().then(() => server.emit("connection", socket));
  });
}

/** A port on which no process listens. */
export async function findClosedPort(): Promise<number> {
  const receiver = await startRawReceiver({});
  await receiver.close();
  return receiver.port;
}

interface ReceiverParts {
  readonly isTls: boolean;
  readonly host?: string | undefined;
  readonly requests: readonly RecordedRequest[];
  readonly begun: () => number;
  readonly cutOff: () => number;
  readonly bytesSeen: () => number;
}

async function openReceiver(server: Server, parts: ReceiverParts): Promise<Receiver> {
  const { isTls, host: ownHost = "127.0.0.1", requests, begun, cutOff, bytesSeen } = parts;
  const urlHost = ownHost.includes(":") ? `[${ownHost}]` : ownHost;
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("tlsClientError", ignore).on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", ignore).on("close", () => sockets.delete(socket));
  });
  const port = await startListening(server, ownHost);
  return {
    port,
    url: (path = "/", host = urlHost) => endpointId(`${isTls ? "https" : "http"}://${host}:${String(port)}${path}`),
    requests,
    requestsBegun: begun,
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

function startListening(server: Server, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, host, () => {
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

/** Reads the bytes of one connection, and calls back for each request in them. */
interface RequestReader {
  add(bytes: Uint8Array): void;
}

/** The callbacks of a reader. */
interface RequestEvents {
  /** The first line of a request has come. */
  readonly onBegin: () => void;
  /** The headers of a request have come. */
  readonly onHead: () => void;
  /** The last byte of a request has come. */
  readonly onEnd: () => void;
}

const REQUEST_LINE = /^(?:\r\n)*[A-Z]+ \S+ HTTP\/1\.[01]\r\n/;

/** A first line that is longer is not HTTP. */
const MAX_LINE_LENGTH = 65_536;

const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/** A reader for one connection. */
function createRequestReader({ onBegin, onHead, onEnd }: RequestEvents): RequestReader {
  let text = "";
  let isBegun = false;
  let bodyBytesLeft = 0;

  return {
    add(bytes) {
      text += Buffer.from(bytes).toString("latin1");
      while (readPart());
    },
  };

  /** Reads one part; returns true if there may be more to read. */
  function readPart(): boolean {
    if (bodyBytesLeft > 0) return skipBody();
    if (!isBegun && REQUEST_LINE.test(text)) {
      isBegun = true;
      onBegin();
    }
    if (!isBegun && text.length > MAX_LINE_LENGTH) text = "";
    const end = text.indexOf("\r\n\r\n");
    if (!isBegun || end < 0) return false;
    bodyBytesLeft = Number(CONTENT_LENGTH.exec(text.slice(0, end))?.[1] ?? 0);
    text = text.slice(end + 4);
    onHead();
    if (bodyBytesLeft === 0) finish();
    return true;
  }

  function skipBody(): boolean {
    const count = Math.min(bodyBytesLeft, text.length);
    text = text.slice(count);
    bodyBytesLeft -= count;
    if (bodyBytesLeft > 0) return false;
    finish();
    return true;
  }

  function finish(): void {
    isBegun = false;
    onEnd();
  }
}
