// A client on a storage in memory, over a manual clock and a server that does as the test says.

import {
  createDurableClient,
  type CallStorage,
  type DurableClientOptions,
  type KeptCall,
} from "@postrider/client/durable";
import { createManualClock, createMemoryCallStorage, type ManualClock } from "@postrider/memory";
import { WRITE_KEY } from "../../canary.js";
import { answer, ENDPOINT, queuedId } from "../rig.js";

/** What survives a crash, and how many changes were made. */
export interface Disk extends CallStorage {
  readonly names: () => Promise<readonly string[]>;
  changes: number;
  isBroken: boolean;
}

export function createDisk(maxCalls = 1_000): Disk {
  const works = createMemoryCallStorage({ maxCalls });
  const disk: Disk = {
    names: async () => (await loadAll(works)).map(({ messageId }) => messageId),
    maxCalls,
    changes: 0,
    isBroken: false,
    load: (request) => works.load(request),
    change: (change) => {
      if (disk.isBroken) throw new Error("CANARY");
      disk.changes += 1;
      return works.change(change);
    },
  };
  return disk;
}

/** All calls of a storage. */
export async function loadAll(storage: CallStorage): Promise<readonly KeptCall[]> {
  return (await storage.load({ limit: 1_000_000 })).calls;
}

export type Options = Partial<DurableClientOptions>;

export function start(
  disk: CallStorage,
  react: (clock: ManualClock) => Response | Promise<Response> = () => answer(200),
  options: Options = {},
) {
  const clock = createManualClock();
  const received: string[] = [];
  const log: unknown[] = [];
  const transport = async (_: string, { body }: { readonly body: string }) => {
    const response = await react(clock);
    const { batch } = JSON.parse(body) as { batch: readonly { messageId: string }[] };
    if (response.status === 200) received.push(...batch.map(({ messageId }) => messageId));
    return response;
  };
  const logger = { log: (_: unknown, entry: unknown) => void log.push(entry) };
  const client = createDurableClient(WRITE_KEY, {
    endpoint: ENDPOINT,
    storage: disk,
    clock,
    transport,
    logger,
    ...options,
  });
  const track = (count: number): readonly string[] =>
    Array.from({ length: count }, () => queuedId(client.track({ userId: "u1", event: "e" })));
  return { client, clock, received, log, track };
}

function callOf(messageId: string, text = ""): string {
  return JSON.stringify({ messageId, userId: "u1", event: "e", properties: { text } });
}

/** What an earlier process may have left. */
export function callsLeft(count: number): readonly KeptCall[] {
  return Array.from({ length: count }, (_, n) => ({ messageId: `m${n}`, type: "track", json: callOf(`m${n}`) }));
}
