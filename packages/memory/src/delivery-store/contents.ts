// The contents of a delivery store on a memory disk, and the way in which its parts answer. Plain mutable data, arranged so that no claim
// and no sweep scans all of it; bytes are copied when they are stored and read. Only this folder reads or changes the contents.

import type {
  EpochMs,
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
  Lapses,
  LeaseToken,
  MessageType,
  SourceId,
  Regulation,
  BoardRow,
  ProcessId,
  OutboxCall,
} from "@postrider/core";
import { createOrderedHeap, type OrderedHeap, type HeapMember } from "../ordered-heap.js";
import type { RecordContents, RunAsPromise } from "../record-store.js";
import { createSeenIds, type SeenIds } from "./dedupe.js";
import {
  createHistory,
  type History,
  type ChangeLog,
  createChangeLog,
  MAX_CHANGED_LANES,
  type DueQueue,
} from "./indexes.js";

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
  readonly records: RecordContents;
  readonly board: BoardContents;
  readonly outbox: OutboxContents;
  readonly listeners: HintListeners;
}

/** The unfinished deliveries of one destination, ordered by the time from which each can be claimed. */
export interface StoredLane {
  readonly queue: DueQueue<StoredDelivery>;
  /** One member for each of these deliveries that was tried; its `at` is the first attempt. */
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
  /** Its member in `firstAttempts` of its lane; undefined if it is finished, or was not tried. */
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
    records: new Map(),
    board: emptyBoard(),
    outbox: { lastNumber: 0, rows: [] },
    listeners: new Map(),
  };
}

export interface DeletionContents {
  readonly suppressed: Set<string>;
  /** In the order in which they were stored. */
  readonly requests: Map<DeletionId, StoredDeletion>;
  /** Requests whose purge is not done yet. */
  readonly unpurged: Set<StoredDeletion>;
}

export interface StoredDeletion {
  readonly id: DeletionId;
  /** The place of the request in the order in which requests were stored, from 1. */
  readonly number: number;
  readonly regulation: Regulation;
  readonly sources: readonly SourceId[] | null;
  readonly requestedAt: EpochMs;
  /** The number of users that the request names. */
  readonly users: number;
  /**
   * The number of the last delivery that the request can cover: the last delivery that was stored before the request.
   */
  readonly upTo: number;
  readonly notices: Map<SourceId, MutableNoticeCounts>;
  /** The users of the request, in the order in which it names them; empty once the request is finished. */
  userIds: ReadonlySet<string>;
  /** The number of the last delivery that `purge` has visited; it goes from the newest to the oldest. */
  purgedDownTo: number;
  purged: number;
  notified: number;
  finishedAt: EpochMs | undefined;
}

export interface MutableNoticeCounts {
  stored: number;
  delivered: number;
  dead: number;
}

function emptyDeletionContents(): DeletionContents {
  return { suppressed: new Set(), requests: new Map(), unpurged: new Set() };
}

export interface BoardContents {
  readonly processes: Map<ProcessId, { readonly share: number; readonly seenAt: EpochMs }>;
  readonly rows: Map<DestinationId, BoardRow>;
  /** Forgets nothing: a row is never removed, and the number of rows has a bound. */
  readonly changes: ChangeLog;
}

function emptyBoard(): BoardContents {
  return { processes: new Map(), rows: new Map(), changes: createChangeLog(Infinity) };
}

/** A call in the outbox. The number of one that was removed is not used again. */
export interface NumberedCall extends OutboxCall {
  readonly number: number;
}

export interface OutboxContents {
  /** The number of the call that was added last, in whichever transaction. */
  lastNumber: number;
  /** Ordered by number. */
  rows: NumberedCall[];
}

/** Each listener to hints, and its store, by an object that is the same only for that store. */
export type HintListeners = Map<(lanes: readonly DestinationId[]) => void, object>;

export function copyBody(body: Body): Body {
  return new Uint8Array(body) as Body;
}

export function copyEndpoints(endpoints: readonly EndpointState[]): readonly EndpointState[] {
  return endpoints.map(({ excerpt, ...state }) => ({
    ...state,
    ...(excerpt === undefined ? {} : { excerpt: new Uint8Array(excerpt) }),
  }));
}

/** The way in which a part of a memory store answers. */
export interface Answering {
  readonly answer: RunAsPromise;
  /** The time of an operation: that of the store's clock, or `now` if it has none. */
  readonly timeFor: (now: EpochMs) => EpochMs;
}
