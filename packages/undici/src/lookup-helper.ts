// A process that asks the system's resolver for one name at a time, and is killed if that takes too long. It ends with the process
// that started it, and by itself when it is not asked for a while.

import type { Cancel, Clock } from "@postrider/core";
import { spawn } from "node:child_process";
import { env, execPath } from "node:process";
import { HELPER_IDLE_MS, HELPER_START_MS, SYSTEM_LOOKUP_MS } from "./limits.js";

export interface LookupHelper {
  /** Looks up a name; only when no other look-up is under way. Rejects with a `code`; after `ETIMEOUT` it is dead. */
  ask(host: string): Promise<readonly string[]>;
  /** False once it has ended. */
  isAlive(): boolean;
}

/** What the process answers: addresses, or the code of an error. */
interface Answer {
  readonly code?: string;
  readonly addresses?: readonly string[];
}

const READY = "ready";

// A text and no file, so that it works from a bundle, too. A signal for the whole group of processes is for the parent. It kills
// itself, since an exit would wait for the look-up under way.
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
    if (message === READY) startTurn();
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
        limit(isReady ? SYSTEM_LOOKUP_MS : HELPER_START_MS);
        if (isAlive && child.connected) child.send(host, (error) => error !== null && end());
        else end();
      });
      child.channel?.unref();
      if (addresses === undefined) throw Object.assign(new Error("look-up failed"), { code });
      return addresses;
    },
  };

  function startTurn(): void {
    isReady = true;
    if (settle !== undefined) limit(SYSTEM_LOOKUP_MS);
  }

  function limit(ms: number): void {
    cancel();
    cancel = clock.after(ms, () => {
      settle?.({ code: "ETIMEOUT" });
      end();
    });
  }

  /** The process cannot be asked again. A look-up under way fails, and not for want of the name. */
  function end(): void {
    isAlive = false;
    child.kill("SIGKILL");
    settle?.({ code: "EAI_SYSTEM" });
  }
}
