// Tells events at a real API while readers of GET /api/events read far less than happens, and measures what the process holds after
// garbage was collected. API and readers are one process, so that what is on its way between them counts too.

import { createApi, createRecentEvents } from "@postrider/http/api";
import { createSecret } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { onTestFinished } from "vitest";
import { EVENT_SAMPLES } from "../api/event-samples.js";
import { createRig } from "../api/rig.js";
import { TOKEN } from "../canary.js";
import { serving } from "../http/serving.js";

export interface SlowReadersOptions {
  readonly readers: number;
  readonly events: number;
  /** How often the memory is measured. */
  readonly samples: number;
}

export interface SlowReadersTold {
  /** Bytes after garbage was collected: JavaScript's own and those of buffers. */
  readonly heldBytes: readonly number[];
  /** What each reader has read, and whether it was told that it has missed some. */
  readonly readers: readonly { readonly bytes: number; readonly wasToldOfDropped: boolean }[];
}

/** The events of one turn of the loop. */
const EVENTS_PER_TURN = 50;
/** What a reader reads at a time, and how often. */
const READ_BYTES = 65_536;
const READ_EVERY_MS = 100;
/** How often garbage is collected for one measurement, and the time after each. */
const COLLECTIONS = 5;
const COLLECTION_PAUSE_MS = 50;

export async function playSlowReaders({ readers, events, samples }: SlowReadersOptions): Promise<SlowReadersTold> {
  const recent = createRecentEvents(createSystemClock());
  const api = createApi({ relay: createRig().relay, apiToken: createSecret(TOKEN), events: recent });
  const heldBytes: number[] = [];
  const slow: SlowReader[] = [];
  await serving(api, async ({ connect: dial, listener }) => {
    while (slow.length < readers) slow.push(slowReader(await dial()));
    while (listener.held().requests < readers) await nextTurn();
    for (let sample = 0; sample < samples; sample += 1) {
      await tell(recent.observe, events / samples);
      heldBytes.push(await held());
    }
  });
  return { heldBytes, readers: slow.map(({ told }) => told()) };
}

/** Every kind of event in turn. */
async function tell(observe: ReturnType<typeof createRecentEvents>["observe"], events: number): Promise<void> {
  const samples = Object.values(EVENT_SAMPLES);
  for (let count = 0; count < events; count += 1) {
    observe({ ...samples[count % samples.length]! });
    if (count % EVENTS_PER_TURN === 0) await nextTurn();
  }
}

type SlowReader = ReturnType<typeof slowReader>;

function slowReader(socket: Socket) {
  let bytes = 0;
  let wasToldOfDropped = false;
  socket.write(`GET /api/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  const timer = setInterval(() => {
    const piece = socket.read(Math.min(READ_BYTES, socket.readableLength)) as Buffer | null;
    bytes += piece?.length ?? 0;
    wasToldOfDropped ||= piece?.includes("event: dropped") === true;
  }, READ_EVERY_MS);
  onTestFinished(() => clearInterval(timer));
  return { told: () => ({ bytes, wasToldOfDropped }) };
}

/** The least of several measurements: buffers are given back some turns after their garbage was collected. */
async function held(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const measured: number[] = [];
  while (measured.length < COLLECTIONS) {
    collect();
    await sleep(COLLECTION_PAUSE_MS);
    const { heapUsed, external } = process.memoryUsage();
    measured.push(heapUsed + external);
  }
  return Math.min(...measured);
}
