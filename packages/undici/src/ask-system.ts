// Asks the system's resolver, which may block a thread for any time. So each look-up is in a process that is killed if it takes
// too long: the threads of this process are few, and files, compression and the look-ups of a database share them.

import type { Clock, Cancel } from "@postrider/core";
import { spawn } from "node:child_process";
import { env, execPath } from "node:process";
import {
  MAX_SYSTEM_LOOKUPS,
  MAX_WAITING_LOOKUPS,
  HELPER_IDLE_MS,
  HELPER_START_MS,
  SYSTEM_LOOKUP_MS,
} from "./limits.js";

/** The addresses of a name, as text. Rejects with the `code` of the system's resolver, or `ETIMEOUT`. */
export type AskSystem = (host: string) => Promise<readonly string[]>;

/** A few look-ups at a time, each with a limit of time. The processes are used again, and end when they have been idle. */
export function createAskSystem(
  clock: Pick<Clock, "after">,
  start: (clock: Pick<Clock, "after">) => LookupHelper = startLookupHelper,
): AskSystem {
  const gate = createWorkLimit(MAX_SYSTEM_LOOKUPS, MAX_WAITING_LOOKUPS);
  const idle: LookupHelper[] = [];
  return (host) => gate(() => ask(host));

  async function ask(host: string): Promise<readonly string[]> {
    const helper = takeIdle() ?? startOne();
    try {
      return await helper.ask(host);
    } finally {
      if (helper.isAlive()) idle.push(helper);
    }
  }

  function takeIdle(): LookupHelper | undefined {
    for (;;) {
      const helper = idle.pop();
      if (helper === undefined || helper.isAlive()) return helper;
    }
  }

  function startOne(): LookupHelper {
    try {
      return start(clock);
    } catch (error) {
      throw Object.assign(new Error("no process for a look-up", { cause: error }), { code: "EAI_SYSTEM" });
    }
  }
}

/** Runs the work once the number of running pieces is below the limit. Rejects with `EAI_MEMORY` if the queue is full. */
export type WorkLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `limit` pieces of work run at once, and at most `maxWaiting` wait. */
export function createWorkLimit(limit: number, maxWaiting: number): WorkLimit {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await waitInQueue();
    else running += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };

  function waitInQueue(): Promise<void> {
    if (queue.length >= maxWaiting) {
      return Promise.reject(Object.assign(new Error("too many look-ups at once"), { code: "EAI_MEMORY" }));
    }
    return new Promise((resolve) => {
      queue.push(resolve);
    });
  }

  /** Hands the place of finished work to the next in the queue, if any. */
  function leave(): void {
    const resume = queue.shift();
    if (resume === undefined) running -= 1;
    else resume();
  }
}

/** A process that looks up one name at a time. */
export interface LookupHelper {
  /** Looks up a name; only when no other look-up is under way. Rejects with a `code`; after `ETIMEOUT` it is dead. */
  ask(host: string): Promise<readonly string[]>;
  /** False once it has ended. */
  isAlive(): boolean;
}

/** The answer of the process: addresses, or the code of an error. */
interface Answer {
  readonly code?: string;
  readonly addresses?: readonly string[];
}

const READY = "ready";

// A text and no file, so that it works from a bundle, too. A signal for the whole group of processes is for the parent. The helper
// kills itself, since an exit would wait for the look-up under way.
const PROGRAM = `
const { lookup } = require("node:dns");
const idle = setTimeout(() => process.disconnect(), ${String(HELPER_IDLE_MS)});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (host) => {
  idle.refresh();
  lookup(host, { all: true }, (error, found = []) => {
    process.send(error === null ? { addresses: found.map(({ address }) => address) } : { code: error.code });
  });
});
process.send("${READY}");
`;

export function startLookupHelper(clock: Pick<Clock, "after">): LookupHelper {
  // Options of this process, such as a loader, would only slow it down.
  const child = spawn(execPath, ["-e", PROGRAM], {
    env: { ...env, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let settle: ((answer: Answer) => void) | undefined;
  let cancel: Cancel = () => undefined;
  let isReady = false;
  let isAlive = true;
  child.unref();
  child.on("message", (message) => {
    if (message === READY) onReady();
    else settle?.(message as Answer);
  });
  child.on("disconnect", end);
  child.on("error", end);

  return {
    isAlive: () => isAlive,
    async ask(host) {
      child.channel?.ref();
      const { addresses, code } = await new Promise<Answer>((resolve) => {
        settle = (answer) => {
          settle = undefined;
          cancel();
          resolve(answer);
        };
        startTimer(isReady ? SYSTEM_LOOKUP_MS : HELPER_START_MS);
        if (isAlive && child.connected) child.send(host, (error) => error !== null && end());
        else end();
      });
      child.channel?.unref();
      if (addresses === undefined) throw Object.assign(new Error("look-up failed"), { code });
      return addresses;
    },
  };

  function onReady(): void {
    isReady = true;
    if (settle !== undefined) startTimer(SYSTEM_LOOKUP_MS);
  }

  function startTimer(ms: number): void {
    cancel();
    cancel = clock.after(ms, () => {
      settle?.({ code: "ETIMEOUT" });
      end();
    });
  }

  /** The process cannot be asked again. A look-up under way fails with a local fault: it says nothing about the name. */
  function end(): void {
    isAlive = false;
    child.kill("SIGKILL");
    settle?.({ code: "EAI_SYSTEM" });
  }
}
