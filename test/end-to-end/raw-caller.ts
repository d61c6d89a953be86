// A caller with a bare socket: writes any bytes at any time, and keeps the bytes that it receives.

import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import type { HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import { look, WRITE_KEY } from "../canary.js";
import { until } from "./receiver.js";

export const CALL = '{"userId":"u1","event":"Signed Up"}';
export const CLOSE = "Connection: close\r\n";
export const BASIC = `Authorization: Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}\r\n`;

/** Limits short enough for a test. */
export const QUICK: Partial<HttpLimits> = { headersTimeoutMs: 300, requestTimeoutMs: 600, checkIntervalMs: 50 };

/** The text of a request with the website's key, with its correct length unless `headers` frame it otherwise. */
export function post(body: string | Uint8Array, { path = "/v1/track", headers = "" } = {}): Uint8Array {
  const isFramed = /content-length|transfer-encoding/i.test(headers);
  const framing = isFramed ? "" : `Content-Length: ${String(Buffer.byteLength(body))}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${BASIC}${framing}${headers}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

/** Chunks of a body, without its end. */
export function chunked(...pieces: readonly string[]): string {
  return pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
}

export interface RawCaller {
  readonly write: (text: string | Uint8Array) => void;
  /** All received bytes, one character for each byte. */
  received(): string;
  isClosed(): boolean;
  /** Resolves with all received bytes once the other side has closed. */
  closed(): Promise<string>;
  /** Resolves once this text was received. */
  heard(part: string): Promise<void>;
  /** Resets the connection. */
  leave(): void;
}

/** Connects; an open connection is cut after the test. */
export async function callRaw(url: string): Promise<RawCaller> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    look("an answer", chunk);
  });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const isClosed = (): boolean => socket.closed || socket.readableEnded;
  return {
    write: (part) => {
      if (!socket.destroyed) socket.write(part);
    },
    received: () => text,
    isClosed,
    closed: async () => {
      await until(isClosed, "end of the connection");
      return text;
    },
    heard: (part) => until(() => text.includes(part), part),
    leave: () => void socket.resetAndDestroy(),
  };
}

/** Writes once; returns the statuses that were received until the server closed. */
export async function exchange(url: string, request: string | Uint8Array): Promise<readonly number[]> {
  const caller = await callRaw(url);
  caller.write(request);
  return statusesIn(await caller.closed());
}

/** The statuses of all answers in what was received. */
export function statusesIn(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
