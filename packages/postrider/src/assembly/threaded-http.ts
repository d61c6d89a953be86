// An HTTP port over undici in a thread of this process (decision: sender thread). A thread that has died or hangs is replaced at
// a later request; until then, requests get the fault `local`. Knows nothing of requests and replies.

import type { ServerSettings } from "@postrider/codec";
import type { Clock, MonoMs, Reply } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { type ConnectedHttp, connectHttp } from "@postrider/thread";
import type { UndiciHttpOptions } from "@postrider/undici";
import { createRequire } from "node:module";
import { MessageChannel, Worker } from "node:worker_threads";
import { resolvesWithin } from "../timing/within.js";
import type { SenderThreadData, ThreadWarning } from "./sender-thread.js";
import type { ClosableHttp } from "./switchable-http.js";

export interface ThreadedHttpOptions extends Pick<UndiciHttpOptions, "refuse"> {
  readonly network: ServerSettings["network"];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long after the start of a thread that has ended the next one is started at the earliest, in milliseconds. */
const RESTART_AFTER_MS = 1_000;

/** How long a server waits for the start of the thread at most, in milliseconds. */
const READY_LIMIT_MS = 5_000;

/** Starts the thread; requests wait until it runs. To be closed, which ends the thread. */
export function createThreadedHttp(options: ThreadedHttpOptions): ClosableHttp {
  const { clock } = options;
  let startedAt: MonoMs;
  const first = start();
  let sender: ConnectedHttp | undefined = first;
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
    ready: resolvesWithin(clock, READY_LIMIT_MS, first.ready).then(() => undefined),
    send: (request) => senderInUse()?.send(request) ?? Promise.resolve(LOCAL),
    close: () => (closed ??= sender?.close() ?? Promise.resolve()),
  };
}

const LOCAL: Reply = { kind: "silent", fault: "local", afterMs: 0 };

function startSender({ network, refuse, clock, logger }: ThreadedHttpOptions, onEnd: () => void): ConnectedHttp {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", ({ code, detail }: ThreadWarning) => logger.log("warning", { code, detail }));
  port1.unref();
  const thread = startThread({ network, warnings: port2 });
  return connectHttp(thread, {
    clock,
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
