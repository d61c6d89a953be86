// The ports of a relay, all in memory. A test that opens one relay spreads them into `createRelay`; the rigs, which open
// several on one disk, make their own.

import type { DeliveryStore, Random } from "@postrider/core";
import {
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
  createScriptedHttp,
  createSeededRandom,
  type HttpScript,
  type ManualClock,
  type ScriptedHttp,
} from "@postrider/memory";

export interface MemoryPorts {
  readonly store: DeliveryStore;
  readonly http: ScriptedHttp;
  readonly clock: ManualClock;
  readonly random: Random;
  /** Settlements do not wait for others, as the clock does not move by itself. */
  readonly gatherMs: 0;
}

/** Every receiver answers 200 at once if there is no script. */
export function createMemoryPorts(script: HttpScript = () => ({ kind: "answers", status: 200 })): MemoryPorts {
  const clock = createManualClock();
  return {
    store: createMemoryStore({ disk: createMemoryDisk() }),
    http: createScriptedHttp({ clock, script }),
    clock,
    random: createSeededRandom(1),
    gatherMs: 0,
  };
}
