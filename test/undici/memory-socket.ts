// Sockets in memory, and a dialler that makes them: what is written to one is kept, and a test pushes what comes in.

import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Dialler } from "../../packages/undici/src/dial.js";
import type { ConnectTarget } from "../../packages/undici/src/open-socket.js";

export type MemorySocket = Duplex & {
  /** Each write, as text. */
  readonly written: string[];
  /** The times that were set, the last one last. */
  readonly timeouts: number[];
  /** Whether it keeps the process running. */
  isRef: boolean;
};

export interface MemoryDialler {
  readonly target: ConnectTarget;
  readonly dialler: Dialler;
  /** All sockets that were dialled. */
  readonly sockets: readonly MemorySocket[];
}

export function createMemoryDialler(): MemoryDialler {
  const sockets: MemorySocket[] = [];
  return {
    sockets,
    target: { protocol: "http:", hostname: "receiver.example", port: "" },
    dialler: {
      connect(_, take, dialled) {
        const socket = createMemorySocket();
        sockets.push(socket);
        setImmediate(() => {
          dialled(null, socket as unknown as Socket);
          socket.on("data", take);
        });
      },
      abort: () => undefined,
    },
  };
}

export function createMemorySocket(): MemorySocket {
  const socket: MemorySocket = Object.assign(
    new Duplex({
      allowHalfOpen: false,
      read: () => undefined,
      writev(chunks, done) {
        socket.written.push(chunks.map(({ chunk }) => (chunk as Buffer).toString("latin1")).join(""));
        done();
      },
    }),
    {
      written: [],
      timeouts: [] as number[],
      isRef: true,
      setTimeout(ms: number) {
        socket.timeouts.push(ms);
        return socket;
      },
      ref() {
        socket.isRef = true;
        return socket;
      },
      unref() {
        socket.isRef = false;
        return socket;
      },
    },
  );
  return socket.on("error", () => undefined);
}

/** Waits for this many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}
