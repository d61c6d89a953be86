// A stand-in for another process on the same disk: it records a failed round.

import type { DeliveryStore, EndpointId, EpochMs, LeaseToken, Settlement } from "@postrider/core";
import { CRM, url } from "./rig.js";

const LEASE_MS = 30_000;

/** Lets another process on the same disk claim the one delivery, as if its lease had ended, and record a failed round of it. */
export async function failElsewhere(store: DeliveryStore, now: EpochMs): Promise<void> {
  const later = (now + LEASE_MS + 1_000) as EpochMs;
  const lease = { token: "of another" as LeaseToken, leaseMs: LEASE_MS };
  const { deliveries } = await store.claim({ lanes: [{ lane: CRM, limit: 1 }], ...lease }, later);
  const settle = deliveries.map(({ id, endpoints }): Settlement => {
    const result = { kind: "silent", fault: "timeout" } as const;
    const endpoint = url("a") as EndpointId;
    const attempt = { round: 1, endpoint, startedAt: now, durationMs: 1, result, verdict: "retry" } as const;
    const outcome = { kind: "rescheduled", dueAt: now, detail: "timeout" } as const;
    return { id, token: lease.token, outcome, attempts: [attempt], endpoints };
  });
  if (settle.length !== 1) throw new Error("there is no delivery to claim");
  await store.commit({ accept: [], replay: [], settle, append: [], tally: [], lease }, later);
}
