// Makes calls to a hostile server until all have ended, and counts their outcomes.

import { createClient, type DeliveredCall } from "@postrider/client";
import { WRITE_KEY } from "../canary.js";
import { startHostileServer } from "./hostile-server.js";
import { queuedId } from "./rig.js";

export interface HostileResult {
  readonly calls: number;
  /** Calls that never ended, and calls that ended more than once. */
  readonly unended: number;
  readonly endedTwice: number;
  readonly failed: number;
  /** Calls said to be delivered that the server never acknowledged. */
  readonly lost: number;
  /** Calls that the server read under more than one messageId. */
  readonly renamed: number;
  readonly undelivered: number;
  readonly behaved: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** How often the server exits while the client is flushing. */
const EXITS = 4;
const TIMEOUT_MS = 500;

export async function runHostile(calls: number, seed: number): Promise<HostileResult> {
  const server = await startHostileServer({ seed, clientTimeoutMs: TIMEOUT_MS });
  const ends = new Map<string, number>();
  let failed = 0;
  const end = ({ messageId }: DeliveredCall): void => void ends.set(messageId, (ends.get(messageId) ?? 0) + 1);
  const client = createClient(WRITE_KEY, {
    endpoint: server.url,
    timeoutMs: TIMEOUT_MS,
    maxRetries: 1_000,
    firstRetryMs: 5,
    maxRetryMs: 100,
    closeTimeoutMs: 3_600_000,
    maxInFlight: 8,
    whenFull: "wait",
    maxQueued: { calls: 1_000 },
    onDelivered: end,
    onFailed: (call) => {
      failed += 1;
      end(call);
    },
  });
  const began = performance.now();
  const queued: string[] = [];
  for (let n = 0; n < calls; n += 1) {
    await client.ready();
    queued.push(queuedId(client.track({ userId: "u1", event: "e", properties: { n } })));
    if (n % Math.ceil(calls / EXITS) === 1) {
      void client.flush();
      await server.goDown(100);
    }
  }
  const closing = client.close();
  await server.goDown(50);
  const { undelivered } = await closing;
  const seconds = (performance.now() - began) / 1_000;
  await server.close();
  const counts = [...ends.values()];
  return {
    calls,
    unended: queued.filter((id) => !ends.has(id)).length,
    endedTwice: counts.filter((count) => count !== 1).length,
    failed,
    lost: queued.filter((id) => !server.acknowledged.has(id)).length,
    renamed: [...server.idsOfCall.values()].filter(({ size }) => size !== 1).length,
    undelivered: undelivered.length,
    behaved: Object.fromEntries(server.behaved),
    seconds,
  };
}
