// Builders of changes for a commit. A test gives only the values that matter to it.

import type {
  Body,
  Changes,
  CommitResult,
  DeliveryId,
  DestinationId,
  EpochMs,
  Lease,
  LeaseToken,
  NewMessage,
  SourceId,
} from "@postrider/core";

export const NOW = 1_763_724_404_000 as EpochMs;
export const WEB = "web" as SourceId;
export const CRM = "crm" as DestinationId;
export const LEASE: Lease = { token: "token" as LeaseToken, leaseMs: 30_000 };

export function later(ms: number): EpochMs {
  return (NOW + ms) as EpochMs;
}

export function changes(some: Partial<Changes>): Changes {
  return { accept: [], replay: [], settle: [], append: [], tally: [], lease: LEASE, ...some };
}

/** A track call on its way to one destination, due at once. */
export function message(messageId: string, some: Partial<NewMessage> = {}): NewMessage {
  const body = new TextEncoder().encode(JSON.stringify({ messageId })) as Body;
  const deliveries = [{ destination: CRM, start: { kind: "waiting", dueAt: NOW } as const }];
  return { source: WEB, messageId, type: "track", receivedAt: NOW, body, deliveries, filtered: [], ...some };
}

/** The deliveries that a commit stored, in order. */
export function stored({ accepted }: CommitResult): readonly DeliveryId[] {
  return accepted.flatMap((one) => (one.kind === "stored" ? one.deliveries : []));
}
