// An adapter over raw sockets that takes what comes first on a connection for the answer to its request, also what was left
// over from the answer before. Knows Content-Length only.

import { connect, type Socket } from "node:net";
import type { HttpRequest, Reply } from "@postrider/core";
import type { CreateHttp } from "./http-wrappers.js";

interface Line {
  readonly socket: Socket;
  received: string;
  notify: () => void;
}

/** Keeps one connection for each origin, and the bytes that it has not used. */
export const createLeftOverHttp: CreateHttp = ({ clock }) => {
  const lines = new Map<string, Line>();
  return {
    async send(request) {
      const { host, port, hostname, pathname } = new URL(request.url);
      const startedAt = clock.monotonic();
      const line = lines.get(host) ?? dial(hostname, Number(port));
      lines.set(host, line);
      line.socket.write(headOf(request, pathname, host));
      line.socket.write(request.body);
      const { status, body } = await nextAnswer(line);
      const excerpt = status <= 299 ? new Uint8Array() : new TextEncoder().encode(body);
      return { kind: "answered", status, afterMs: clock.monotonic() - startedAt, excerpt } satisfies Reply;
    },
    close: async () => {
      for (const { socket } of lines.values()) socket.destroy();
    },
  };
};

function dial(hostname: string, port: number): Line {
  const line: Line = { socket: connect(port, hostname), received: "", notify: () => undefined };
  line.socket
    .on("error", () => undefined)
    .on("data", (chunk) => {
      line.received += chunk.toString("latin1");
      line.notify();
    });
  return line;
}

function headOf({ headers, body }: HttpRequest, path: string, host: string): string {
  const fields = [["Host", host], ...headers, ["Content-Length", String(body.length)]];
  return `POST ${path} HTTP/1.1\r\n${fields.map((field) => `${field.join(": ")}\r\n`).join("")}\r\n`;
}

async function nextAnswer(line: Line): Promise<{ status: number; body: string }> {
  for (;;) {
    const end = line.received.indexOf("\r\n\r\n");
    const head = line.received.slice(0, end);
    const status = Number(head.slice(9, 12));
    const length = status === 204 ? 0 : Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (end >= 0 && line.received.length >= end + 4 + length) {
      const body = line.received.slice(end + 4, end + 4 + length);
      line.received = line.received.slice(end + 4 + length);
      return { status, body };
    }
    await new Promise<void>((resolve) => (line.notify = resolve));
  }
}
