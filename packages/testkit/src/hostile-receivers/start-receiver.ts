// Starts a receiver that plays a script on a real socket of this machine, step by step, and records what arrives. Every
// wait ends with the connection. Parses only enough of HTTP to find the end of a request.

import { type Clock, type EndpointId, endpointId } from "@postrider/core";
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { TlsIdentity } from "../contracts/http/certificates.js";
import { startRawReceiver } from "../contracts/http/receiver.js";
import type { ReceiverScript, TlsScript, ScriptStep } from "./hostile-receiver.js";

/** A receiver on 127.0.0.1. */
export interface ScriptedReceiver {
  readonly url: EndpointId;
  readonly port: number;
  /** The requests that its steps have read, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Bytes that arrived; with TLS, only the decrypted bytes. */
  bytesSeen(): number;
  /** Connections ever made, and those open now. */
  connections(): number;
  openConnections(): number;
  close(): Promise<void>;
}

/**
 * Starts a receiver on a free port, and resolves once it listens. `drips` and `waits` use the clock, which must be a
 * real one, as the sockets are real.
 */
export async function startReceiver(script: ReceiverScript, clock: Clock): Promise<ScriptedReceiver> {
  const requests: ReceivedRequest[] = [];
  const receiver = await startRawReceiver(
    {
      greet(socket) {
        const note = (request: ReceivedRequest): void => void requests.push(request);
        const die = (): void => void receiver.close();
        void playScript(script.steps, { clock, socket, note, die });
      },
    },
    script.tls === undefined ? undefined : tlsOptionsOf(script.tls),
  );
  const scheme = script.scheme ?? (script.tls === undefined ? "http" : "https");
  return {
    url: endpointId(`${scheme}://127.0.0.1:${String(receiver.port)}/`),
    port: receiver.port,
    requests,
    bytesSeen: () => receiver.bytesSeen(),
    connections: () => receiver.connections(),
    openConnections: () => receiver.openConnections(),
    close: () => receiver.close(),
  };
}

/** The options of node:tls for a script. */
interface TlsOptions extends TlsIdentity {
  readonly minVersion: "TLSv1";
  readonly maxVersion: NonNullable<TlsScript["maxVersion"]>;
  readonly ciphers: string;
  readonly requestCert: boolean;
  readonly rejectUnauthorized: boolean;
}

function tlsOptionsOf({ identity, maxVersion = "TLSv1.3", wantsClientCertificate = false }: TlsScript): TlsOptions {
  return {
    ...identity,
    minVersion: "TLSv1",
    maxVersion,
    // Any cipher, however old and weak: to refuse it is the task of the adapter under test.
    ciphers: "ALL:@SECLEVEL=0",
    requestCert: wantsClientCertificate,
    rejectUnauthorized: wantsClientCertificate,
  };
}

/** The connection and the receiver on which a script is played. */
interface ScriptContext {
  readonly clock: Clock;
  readonly socket: Socket;
  readonly note: (request: ReceivedRequest) => void;
  /** Ends the whole receiver. */
  readonly die: () => void;
}

/** The number of times that a `drips` step without `times` sends its text, and that a script that ends in `repeats` is played. */
const MAX_REPEATS = 1_000;

/** Resolves after the last step, or when the connection has closed. */
async function playScript(steps: readonly ScriptStep[], context: ScriptContext): Promise<void> {
  const play = createPlayer(context);
  const times = steps.at(-1)?.kind === "repeats" ? MAX_REPEATS : 1;
  for (let count = 0; count < times && !context.socket.destroyed; count += 1) {
    for (const step of steps) await play(step);
  }
}

/** Returns a function that plays one step. A step on a closed connection does nothing. */
function createPlayer({ clock, socket, note, die }: ScriptContext): (step: ScriptStep) => Promise<void> {
  const reader = createRequestReader();
  socket.on("data", (chunk: Uint8Array) => {
    reader.add(chunk);
  });
  return play;

  async function play(step: ScriptStep): Promise<void> {
    if (socket.destroyed) return;
    switch (step.kind) {
      case "reads":
        return readStep();
      case "says":
        socket.write(Buffer.from(step.text, "latin1"));
        return;
      case "drips":
        return drip(step);
      case "floods":
        return flood(step);
      case "waits":
        return wait(step.delayMs);
      case "ends":
        socket.end();
        return;
      case "resets":
        socket.resetAndDestroy();
        return;
      case "dies":
        die();
        return;
      case "repeats":
        return;
    }
  }

  async function readStep(): Promise<void> {
    while (!socket.destroyed) {
      const request = reader.take();
      if (request !== undefined) {
        note(request);
        return;
      }
      await untilHeard("data");
    }
  }

  async function drip({ text, everyMs, times = MAX_REPEATS }: Extract<ScriptStep, { kind: "drips" }>): Promise<void> {
    for (let count = 0; count < times && !socket.destroyed; count += 1) {
      socket.write(Buffer.from(text, "latin1"));
      await wait(everyMs);
    }
  }

  async function flood({ text, bytes }: Extract<ScriptStep, { kind: "floods" }>): Promise<void> {
    const part = Buffer.from(text, "latin1");
    for (let writtenBytes = 0; writtenBytes < bytes && !socket.destroyed; writtenBytes += part.length) {
      if (!socket.write(part)) await untilHeard("drain");
    }
  }

  function wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(delayMs, finish);
      socket.once("close", finish);

      function finish(): void {
        cancel();
        socket.off("close", finish);
        resolve();
      }
    });
  }

  /** Resolves at the event, or when the connection closes. */
  function untilHeard(event: "data" | "drain"): Promise<void> {
    return new Promise((resolve) => {
      socket.once(event, finish).once("close", finish);

      function finish(): void {
        socket.off(event, finish).off("close", finish);
        resolve();
      }
    });
  }
}

/** A request as it came: the bytes of its head as Latin-1 text, request line first, and its body. */
export interface ReceivedRequest {
  readonly head: string;
  readonly body: Uint8Array;
}

interface RequestReader {
  add(chunk: Uint8Array): void;
  /** The next complete request, if it has arrived. */
  take(): ReceivedRequest | undefined;
}

const END_OF_HEAD = "\r\n\r\n";

const CONTENT_LENGTH = /^content-length:[ \t]*(\d+)[ \t]*$/im;

/** A reader for one connection. */
function createRequestReader(): RequestReader {
  let bytes = Buffer.alloc(0);
  return {
    add(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
    },
    take() {
      const headEnd = bytes.indexOf(END_OF_HEAD);
      if (headEnd === -1) return undefined;
      const head = bytes.toString("latin1", 0, headEnd);
      const bodyStart = headEnd + END_OF_HEAD.length;
      const bodyEnd = bodyStart + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
      if (bytes.length < bodyEnd) return undefined;
      const body = Uint8Array.from(bytes.subarray(bodyStart, bodyEnd));
      bytes = bytes.subarray(bodyEnd);
      return { head, body };
    },
  };
}
