// Asks the system's resolver, which blocks a thread for as long as it wants. So each look-up is in a process that can be killed:
// the threads of this process are few, and files, compression and the look-ups of a database share them.

import type { Clock } from "@postrider/core";
import { createWorkLimit } from "./gate.js";
import { MAX_SYSTEM_LOOKUPS, MAX_WAITING_LOOKUPS } from "./limits.js";
import { type LookupHelper, startLookupHelper } from "./lookup-helper.js";

/** The addresses of a name, as text. Rejects with the `code` of the system's resolver, or `ETIMEOUT`. */
export type AskSystem = (host: string) => Promise<readonly string[]>;

/** A few look-ups at a time, each with a limit of time. The processes are used again, and end when they rest. */
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
