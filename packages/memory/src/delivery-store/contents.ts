// The contents of a delivery store on a memory disk: all that it keeps, and the order in which lanes have changed. Plain mutable data,
// arranged so that no claim and no sweep scans all of it. Only this folder reads or changes the contents.

import type {
  AttemptRecord,
  Body,
  Counts,
  DeadReason,
  DeletionId,
  DeliveryId,
  DeliveryState,
  DestinationId,
  Detail,
  EndpointState,
  EpochMs,
  Lapses,
  LeaseToken,
  MessageType,
  ReplayJob,
  ReplayJobId,
  SettingsRevision,
  SourceId,
} from "@postrider/core";
import { createOrderedHeap, type OrderedHeap, type HeapMember } from "../ordered-heap.js";
import { type BoardContents, emptyBoard } from "./board-contents.js";
import { createSeenIds, type SeenIds } from "./dedupe.js";
import { emptyDeletionContents, type DeletionContents } from "./deletions/contents.js";
import { createHistory, type History } from "./history.js";
import { type ChangeLog, createChangeLog, MAX_CHANGED_LANES } from "./change-log.js";
import type { DueQueue } from "./lane-queue.js";

export interface Contents {
  /** The number of the delivery that was stored last. */
  sequence: number;
  /** Bytes of all bodies; the body of a message counts once. */
  bytes: number;
  readonly deliveries: Map<DeliveryId, StoredDelivery>;
  readonly history: History<StoredDelivery>;
  readonly lanes: Map<DestinationId, StoredLane>;
  readonly changes: ChangeLog;
  /** Finished deliveries, ordered by the time at which they finished. */
  readonly finished: Readonly<Record<"delivered" | "dead", OrderedHeap<StoredDelivery>>>;
  readonly counts: Map<SourceId, MutableCounts>;
  readonly seen: SeenIds;
  readonly deletions: DeletionContents;
  /** When an operator paused each lane that is paused. */
  readonly pauses: Map<DestinationId, EpochMs>;
  readonly replayJobs: Map<ReplayJobId, ReplayJob>;
  /** The revisions of the settings that are kept, the oldest first. */
  readonly settings: SettingsRevision[];
  readonly board: BoardContents;
}

/** The unfinished deliveries of one destination, ordered by the time from which each can be claimed. */
export interface StoredLane {
  readonly queue: DueQueue<StoredDelivery>;
  /** One member for each of these deliveries that was tried, at its first attempt. */
  readonly firstAttempts: OrderedHeap<HeapMember>;
  bytes: number;
}

export type MutableCounts = { -readonly [Name in keyof Counts]: Counts[Name] };

export interface MessageContents {
  readonly source: SourceId;
  readonly messageId: string;
  readonly type: MessageType;
  /** The deletion request, if the message is a notice. */
  readonly deletion: DeletionId | undefined;
  readonly traceparent: string | undefined;
  /** The user ids of the message; empty once the message is purged. */
  userIds: readonly string[];
  /** Undefined once the message is purged. */
  body: Body | undefined;
  /** The deliveries of the message that are not swept yet. */
  readonly deliveries: Set<StoredDelivery>;
}

export interface StoredDelivery extends HeapMember {
  readonly id: DeliveryId;
  readonly message: MessageContents;
  readonly destination: DestinationId;
  readonly acceptedAt: EpochMs;
  readonly replayOf: DeliveryId | undefined;
  state: DeliveryState;
  /** Waiting: when it is due. Claimed: when its lease ends. Delivered or dead: when it finished. */
  at: EpochMs;
  token: LeaseToken | undefined;
  rounds: number;
  firstAttemptAt: EpochMs | undefined;
  /** Its member among the first attempts of its lane; undefined if it is finished, or was not tried. */
  firstAttempt: HeapMember | undefined;
  reason: DeadReason | undefined;
  detail: Detail | undefined;
  endpoints: readonly EndpointState[];
  attempts: readonly AttemptRecord[];
  wasReplayed: boolean;
  lapses: Lapses | undefined;
}

export function emptyContents(): Contents {
  return {
    sequence: 0,
    bytes: 0,
    deliveries: new Map(),
    history: createHistory(),
    lanes: new Map(),
    changes: createChangeLog(MAX_CHANGED_LANES),
    finished: { delivered: createOrderedHeap(), dead: createOrderedHeap() },
    counts: new Map(),
    seen: createSeenIds(),
    deletions: emptyDeletionContents(),
    pauses: new Map(),
    replayJobs: new Map(),
    settings: [],
    board: emptyBoard(),
  };
}
