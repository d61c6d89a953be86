// An audience, or a computed trait, as it is kept: what it is, and how far its syncs have come. Its key is fixed when it is
// created; snapshots are kept for each destination, so that one connected later gets a first sync of its own (spec, webhook
// destination §1; decision: audiences).

import type { DestinationId, EpochMs } from "../ids.js";

export interface AudienceDefinition {
  readonly name: string;
  /** A set of users, or a value for each of them. */
  readonly kind: "audience" | "trait";
  /** As an identify call with a trait, or as a track call. */
  readonly sendsAs: "identify" | "track";
  /** Who is told; integrations do not apply. */
  readonly destinations: readonly DestinationId[];
}

export interface AudienceRecord extends AudienceDefinition {
  /** The snake_case form of its name. */
  readonly key: string;
  /** What receivers know it by, beside its key. */
  readonly id: string;
  readonly createdAt: EpochMs;
  /** One more with each change of this record. */
  readonly revision: number;
  /** The number of the sync that began last; from 1. */
  readonly syncs: number;
  /** Null: none is under way. */
  readonly running: RunningSync | null;
  /** What each destination has been told last. */
  readonly told: readonly ToldSnapshot[];
}

export interface ToldSnapshot {
  readonly destination: DestinationId;
  /** The set of members that it knows of. */
  readonly set: string;
  readonly sync: number;
}

/** Collecting, its members come in, and with its process it is lost. Sending, all is kept, and anyone may go on with it. */
export type RunningSync =
  | { readonly kind: "collecting"; readonly owner: string; readonly aliveAt: EpochMs }
  | {
      readonly kind: "sending";
      /** The set of all members. */
      readonly set: string;
      readonly members: number;
      /** For each destination that still has to hear of it, the last user whose change is stored. */
      readonly reached: readonly { readonly destination: DestinationId; readonly after: string | null }[];
    };
