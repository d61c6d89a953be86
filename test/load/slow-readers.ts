// Tells events at a real API while readers of GET /api/events read far less than happens, and measures what the process holds after
// garbage was collected. API and readers are one process, so that what is on its way between them counts too.

import { createApi, createRecentEvents } from "@postrider/api";
import { createSecret } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
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
      heldBytes.push(held());
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

function held(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
