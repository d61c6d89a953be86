// Holds the writes that wait for the next commit, in the order of their arrival, with their size; and the counts of refused and
// shed calls, which go with the next commit that happens for another reason. A crash may lose the latest counts, which are no
// part of the law of the counters (decision: counting).

import {
  type MonoMs,
  type SettleResult,
  type Settlement,
  type Changes,
  type CommitResult,
  type NoticeProgress,
  NO_COUNTS,
  type SourceCounts,
  type SourceId,
  type CallCounts,
} from "@postrider/core";
import type { Result } from "neverthrow";
import { COMMIT_ROWS } from "../limits.js";
import type { StoreFault } from "../fault.js";
import type { HeldLease } from "./lease.js";

const NOTHING: WriteRequest = { accept: [], replay: [], settle: [], append: [], notified: [] };

/** The write that one caller waits for. */
export type PendingWrite = PendingRequest | PendingSettlement;

export interface PendingRequest {
  readonly content: WriteRequest;
  readonly since: MonoMs;
  readonly answer: (result: Result<WriteOutcome, StoreFault>) => void;
}

export interface PendingSettlement {
  readonly content: Settlement;
  readonly since: MonoMs;
  readonly answer: (result: Result<SettleResult, StoreFault>) => void;
}

interface GatheredWrites {
  add(part: PendingWrite): void;
  /** The write that has waited longest. */
  first(): PendingWrite | undefined;
  /** True if a caller waits for one of them. */
  isAwaited(): boolean;
  rows(): number;
  bytes(): number;
  /** Takes the first write, and as many after it as fit one commit. */
  takeNext(): readonly PendingWrite[];
}

export function createGatheredWrites(): GatheredWrites {
  const parts: PendingWrite[] = [];
  let awaited = 0;
  let rows = 0;
  let bytes = 0;

  return {
    add: (part): void => {
      parts.push(part);
      // A caller waits for what needs space: calls and replays.
      if (needsSpace(part.content)) awaited += 1;
      rows += rowsOf(part.content);
      bytes += bytesOf(part.content);
    },
    first: () => parts[0],
    isAwaited: () => awaited > 0,
    rows: () => rows,
    bytes: () => bytes,
    takeNext: () => {
      const batch = parts.splice(0, countFitting(parts));
      for (const { content } of batch) {
        if (needsSpace(content)) awaited -= 1;
        rows -= rowsOf(content);
        bytes -= bytesOf(content);
      }
      return batch;
    },
  };
}

/** The number of first writes that fit one commit: at least one, whatever its size. */
function countFitting(parts: readonly PendingWrite[]): number {
  let rows = 0;
  const beyond = parts.findIndex(({ content }) => {
    rows += rowsOf(content);
    return rows > COMMIT_ROWS;
  });
  return beyond === -1 ? parts.length : Math.max(1, beyond);
}

/** The writes of one caller. They become durable all together, or not at all. */
export interface WriteRequest extends Pick<Changes, "accept" | "replay" | "settle" | "append"> {
  readonly notified: readonly NoticeProgress[];
}

/** The outcome, and the lease of the deliveries that the commit stored as claimed. */
export interface WriteOutcome extends CommitResult {
  readonly lease: HeldLease;
}

type WriteContent = WriteRequest | Settlement;

/** A write request in which each absent list is empty. */
export function writeRequest(lists: Partial<WriteRequest>): WriteRequest {
  return { ...NOTHING, ...lists };
}

export function isSettlement(content: WriteContent): content is Settlement {
  return "outcome" in content;
}

/** The number of rows of a write. A message has one for each delivery, or one if it has none. */
export function rowsOf(content: WriteContent): number {
  if (isSettlement(content)) return 1;
  const { accept, replay, settle, append, notified } = content;
  const accepting = accept.reduce((sum, { deliveries }) => sum + Math.max(1, deliveries.length), 0);
  return accepting + replay.length + settle.length + append.length + notified.length;
}

/** The bytes of all bodies in a write. */
export function bytesOf(content: WriteContent): number {
  return isSettlement(content) ? 0 : content.accept.reduce((sum, message) => sum + message.body.length, 0);
}

/** True if a write needs space in the store. A write that only settles needs none, and is written even if the store is full. */
export function needsSpace(content: WriteContent): boolean {
  return !isSettlement(content) && content.accept.length + content.replay.length > 0;
}

type Column = "refused" | "suppressed" | "shed";

export interface PendingCounts {
  add(source: SourceId, column: Column, calls: number): void;
  /** Removes and returns all counts, which the caller writes or puts back. */
  take(): readonly CallCounts[];
  putBack(tally: readonly CallCounts[]): void;
  isEmpty(): boolean;
  /** Adds the counts that are not written yet to those of all sources. */
  addTo(sources: readonly SourceCounts[]): readonly SourceCounts[];
}

export function createPendingCounts(): PendingCounts {
  let pending = new Map<SourceId, CallCounts>();

  function add(source: SourceId, column: Column, calls: number): void {
    const tally = pending.get(source) ?? { source, refused: 0, suppressed: 0, shed: 0 };
    pending.set(source, { ...tally, [column]: tally[column] + calls });
  }

  return {
    add,
    take: (): readonly CallCounts[] => {
      const counts = [...pending.values()];
      pending = new Map();
      return counts;
    },
    putBack: (tally): void => {
      for (const { source, refused, suppressed, shed } of tally) {
        add(source, "refused", refused);
        add(source, "suppressed", suppressed);
        add(source, "shed", shed);
      }
    },
    isEmpty: (): boolean => pending.size === 0,
    addTo: (sources): readonly SourceCounts[] => {
      const listedSources = new Set(sources.map(({ source }) => source));
      const unlisted = [...pending.keys()].filter((source) => !listedSources.has(source));
      return [...sources, ...unlisted.map((source) => ({ source, ...NO_COUNTS }))].map((counts) =>
        addTally(counts, pending.get(counts.source)),
      );
    },
  };
}

function addTally(counts: SourceCounts, tally: CallCounts | undefined): SourceCounts {
  if (tally === undefined) return counts;
  return {
    ...counts,
    refused: counts.refused + tally.refused,
    suppressed: counts.suppressed + tally.suppressed,
    shed: counts.shed + tally.shed,
  };
}
