// The HTTP port that the settings ask for: in this thread, or in a separate one, which is replaced if it has died or hangs (decision:
// sender thread). A port can be replaced while it is in use.

import type { ServerSettings } from "@postrider/relay/settings";
import type { Clock, HttpPort, MonoMs, Reply } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { type ConnectedHttp, connectHttp } from "@postrider/thread";
import { createUndiciHttp, type UndiciHttpOptions } from "@postrider/undici";
import { createRequire } from "node:module";
import { MessageChannel, Worker } from "node:worker_threads";
import { resolvesWithin } from "../timing/within.js";
import type { SenderThreadData, ThreadWarning } from "./sender-thread.js";

/** The shortest time between two starts of the thread, in milliseconds. */
const RESTART_AFTER_MS = 1_000;

/** The longest wait of a server for the start of the thread, in milliseconds. */
const READY_LIMIT_MS = 5_000;

/** The reply while no thread runs. */
const LOCAL: Reply = { kind: "silent", fault: "local", afterMs: 0 };

/** The settings that decide how requests are sent. */
export type SenderSettings = Pick<ServerSettings, "network" | "senderThread">;

export type SenderPorts = Omit<ThreadedHttpOptions, "network">;

/** Creates the port over undici, in this thread or in a separate one. */
export function createSenderHttp({ network, senderThread }: SenderSettings, ports: SenderPorts): ClosableHttp {
  if (senderThread) return createThreadedHttp({ network, ...ports });
  const onUnaskedAnswer = (detail: string): void => ports.logger.log("warning", { code: "unasked-answer", detail });
  return createUndiciHttp({ network, ...ports, onUnaskedAnswer });
}

/** True if both settings need the same port. */
export function isSameSender(first: SenderSettings, second: SenderSettings): boolean {
  const relevant = ({ network, senderThread }: SenderSettings): string => JSON.stringify([network, senderThread]);
  return relevant(first) === relevant(second);
}

export interface ClosableHttp extends HttpPort {
  /** Resolves once the port has started, or has had its time for that; absent if it needs none. Never rejects. */
  readonly ready?: Promise<void>;
  close(): Promise<void>;
}

export interface SwitchableHttp extends ClosableHttp {
  /** From the next `send` on, requests go through `replacement`. */
  replace(replacement: ClosableHttp): void;
}

/** Creates a port that sends through `initial` until that is replaced. */
export function createSwitchableHttp(initial: ClosableHttp): SwitchableHttp {
  let inUse = countOpen(initial);
  return {
    ready: initial.ready ?? Promise.resolve(),
    send: (request) => inUse.send(request),
    replace: (replacement) => {
      inUse.retire();
      inUse = countOpen(replacement);
    },
    close: () => inUse.close(),
  };
}

interface CountedHttp extends ClosableHttp {
  /** Closes the port after its last reply. */
  retire(): void;
}

function countOpen(http: ClosableHttp): CountedHttp {
  let openRequests = 0;
  let isRetired = false;
  const closeIfDone = (): void => {
    if (isRetired && openRequests === 0) void http.close();
  };
  const end = (): void => {
    openRequests -= 1;
    closeIfDone();
  };
  return {
    send: (request) => {
      const reply = http.send(request);
      openRequests += 1;
      // The promise is returned unchanged, which saves its caller a turn of the microtask queue.
      void reply.then(end, end);
      return reply;
    },
    retire: () => {
      isRetired = true;
      closeIfDone();
    },
    close: () => http.close(),
  };
}

interface ThreadedHttpOptions extends Pick<UndiciHttpOptions, "refuse"> {
  readonly network: ServerSettings["network"];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts the thread; requests wait until it runs. To be closed, which ends the thread. */
function createThreadedHttp(options: ThreadedHttpOptions): ClosableHttp {
  const { clock } = options;
  let startedAt: MonoMs;
  const firstSender = start();
  let sender: ConnectedHttp | undefined = firstSender;
  let closed: Promise<void> | undefined;

  function start(): ConnectedHttp {
    startedAt = clock.monotonic();
    return startSender(options, () => (sender = undefined));
  }

  function senderInUse(): ConnectedHttp | undefined {
    const isTooEarly = clock.monotonic() - startedAt < RESTART_AFTER_MS;
    if (sender === undefined && closed === undefined && !isTooEarly) sender = start();
    return sender;
  }

  return {
    ready: resolvesWithin(clock, READY_LIMIT_MS, firstSender.ready).then(() => undefined),
    send: (request) => senderInUse()?.send(request) ?? Promise.resolve(LOCAL),
    close: () => (closed ??= sender?.close() ?? Promise.resolve()),
  };
}

function startSender({ network, refuse, clock, logger }: ThreadedHttpOptions, onEnd: () => void): ConnectedHttp {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", ({ code, detail }: ThreadWarning) => logger.log("warning", { code, detail }));
  port1.unref();
  const thread = startThread({ network, warnings: port2 });
  return connectHttp(thread, {
    clock,
    // The addresses on which this server listens are those that the port refuses.
    listening: refuse,
    terminate: () => void thread.terminate(),
    onEnd: (why) => {
      logger.log("error", { code: "sender-ended", detail: `the thread that sends: ${why}` });
      onEnd();
    },
  });
}

function startThread(workerData: SenderThreadData): Worker {
  // The built file, even if this file runs as TypeScript: a thread of Node cannot load TypeScript.
  const program = createRequire(import.meta.url).resolve("#sender-thread");
  // Of the options of this process, only the versions of TLS are inherited: some others keep a thread from starting.
  const execArgv = process.execArgv.filter((option) => /^--tls-(?:min|max)-v/.test(option));
  return new Worker(program, { workerData, transferList: [workerData.warnings], name: "sender", execArgv });
}
