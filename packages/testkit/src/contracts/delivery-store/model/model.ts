// The data of the model, a very simple delivery store: a list of deliveries that is never shortened, a list of counts, the
// requests about users. Each query goes through a whole list. Shares no code with a store, so that both are unlikely to have
// the same defect.

import type {
  AttemptRecord,
  BoardProcess,
  BoardRow,
  Body,
  DeadReason,
  DeletionId,
  DeletionRecord,
  DeliveryId,
  DeliveryState,
  DestinationId,
  EndpointState,
  EpochMs,
  Lapses,
  LeaseToken,
  ListQuery,
  MessageType,
  RecordKind,
  SourceId,
  StoredRecord,
} from "@postrider/core";

/** Plain data: `structuredClone` makes an independent copy. */
export interface Model {
  /** All deliveries, oldest first; swept deliveries stay in the list. */
  deliveries: ModelDelivery[];
  /** Every message id that was stored, and when. */
  seen: ModelSeen[];
  /** All counts that do not follow from the states of the deliveries. */
  counts: ModelCount[];
  /** The cursors of earlier pages. */
  cursors: ModelCursor[];
  /** All requests about users, oldest first. */
  requests: ModelRequest[];
  suppressed: string[];
  /** Pairs of users: the store listed the first before the second. */
  userOrder: (readonly [string, string])[];
  board: ModelBoard;
  records: StoredRecord[];
  /** Pairs of keys of records: the store listed the first before the second. */
  recordOrder: { readonly kind: RecordKind; readonly first: string; readonly second: string }[];
}

/** The board. No snapshot has it: only the answers of its methods show it. */
export interface ModelBoard {
  living: (BoardProcess & { readonly at: EpochMs })[];
  rows: BoardRow[];
  /** The cursors of all pages, with the last revision of each lane that their pages reported. */
  cursors: { readonly since: string; readonly revisions: Readonly<Record<string, number>> }[];
}

/** A message; all its deliveries share it. */
export interface ModelMessage {
  readonly source: SourceId;
  readonly messageId: string;
  readonly type: MessageType;
  readonly deletion: DeletionId | undefined;
  readonly userIds: readonly string[];
  readonly body: Body;
  isPurged: boolean;
}

export interface ModelDelivery {
  /** Chosen by the store. */
  readonly id: DeliveryId;
  readonly message: ModelMessage;
  readonly destination: DestinationId;
  readonly acceptedAt: EpochMs;
  readonly replayOf?: DeliveryId;
  state: DeliveryState;
  /** Waiting: when it is due. Claimed: when its lease ends. Delivered or dead: when it finished. */
  at: EpochMs;
  token?: LeaseToken;
  reason?: DeadReason;
  detail?: string;
  rounds: number;
  firstAttemptAt?: EpochMs;
  endpoints: readonly EndpointState[];
  attempts: readonly AttemptRecord[];
  isSwept: boolean;
  /** An inexact sweep was asked to remove it. Any later one may, whatever that is asked for. */
  isToBeSwept: boolean;
  lapses?: Lapses;
}

/** A request about users, as `find` shows it but for the counts of its notices. */
export interface ModelRequest extends Omit<DeletionRecord, "notices" | "finishedAt"> {
  /** The number of deliveries that had been stored before the request. */
  readonly upTo: number;
  userIds: readonly string[];
  isPurged: boolean;
  purged: number;
  notified: number;
  finishedAt?: EpochMs;
  /** The number of slices that have been purged. */
  slices: number;
}

export interface ModelSeen {
  readonly source: SourceId;
  readonly messageId: string;
  readonly at: EpochMs;
  readonly deliveries: number;
}

export interface ModelCount {
  readonly source: SourceId;
  readonly name: "received" | "filtered" | "duplicates" | "refused" | "suppressed" | "shed";
  readonly count: number;
}

export interface ModelCursor {
  readonly after: string;
  readonly query: Omit<ListQuery, "after" | "limit">;
  readonly lastId: DeliveryId;
}

export function emptyModel(): Model {
  const board = { living: [], rows: [], cursors: [] };
  return {
    deliveries: [],
    seen: [],
    counts: [],
    cursors: [],
    requests: [],
    suppressed: [],
    userOrder: [],
    board,
    records: [],
    recordOrder: [],
  };
}

export function isUnfinished({ state }: ModelDelivery): boolean {
  return state === "waiting" || state === "claimed";
}

/** Deliveries of a lane that are not finished. */
export function unfinishedIn(model: Model, lane: DestinationId): readonly ModelDelivery[] {
  return model.deliveries.filter((delivery) => isUnfinished(delivery) && delivery.destination === lane);
}
