// Turns rejections of the delivery store into results, keeps the health of that store, and repeats requests
// and commits while it is busy, since it has then written nothing.

import type {
  Changes,
  Clock,
  CommitResult,
  DeletionStore,
  DeliveryStore,
  LaneBoard,
  LaneChanges,
  Outbox,
  RecordStore,
} from "@postrider/core";
import { defined, pauseFor, storeErrorCodeOf } from "@postrider/core/engine";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import type { EmitEvent } from "../relay-event.js";
import { BUSY_DELAYS_MS, FULL_FADES_MS } from "../limits.js";
import type { Health } from "../relay.js";
import { type StoreClock, createFollowTime, type FollowTime, onTime } from "../fleet/clock.js";
import { createOrStalled, type OrStalled, createCommitWindow, createStallWatch } from "./stall.js";
import { faultOf, type StoreFault } from "../fault.js";
import { type Instant, instantOf } from "./lease.js";

const UNAVAILABLE: Health = { kind: "unhealthy", reason: "unavailable" };

const STALLED: Health = { kind: "unhealthy", reason: "stalled" };

const FULL: Health = { kind: "unhealthy", reason: "full" };

/** Sends a request to the part of the store that keeps the requests about users. Never throws. */
export type AskDeletions = <T>(question: (deletions: DeletionStore) => Promise<T>) => ResultAsync<T, StoreFault>;

/** Sends a request to the part of the store that keeps small records. Never throws. */
export type AskRecords = <T>(question: (records: RecordStore) => Promise<T>) => ResultAsync<T, StoreFault>;

/** Sends a request to the part of the store that tells which lanes have changed. Never throws. */
export type AskLaneChanges = <T>(question: (changes: LaneChanges) => Promise<T>) => ResultAsync<T, StoreFault>;

/** Sends a request to the part of the store by which processes act as one. Never throws. */
export type AskBoard = <T>(question: (board: LaneBoard) => Promise<T>) => ResultAsync<T, StoreFault>;

/** Sends a request to the part of the store that keeps the calls of hosts' transactions. Never throws. */
export type AskOutbox = <T>(question: (outbox: Outbox) => Promise<T>) => ResultAsync<T, StoreFault>;

export interface Storage {
  /** Sends a request to the store. Never throws. */
  ask<T>(question: (store: DeliveryStore) => Promise<T>): ResultAsync<T, StoreFault>;
  /** True if an answer does not wait for those to earlier requests. */
  readonly answersSideBySide: boolean;
  /** Absent if the store does not support requests about users. */
  readonly askDeletions?: AskDeletions;
  /** Absent if the store keeps no records: neither pauses of operators nor replay jobs. */
  readonly askRecords?: AskRecords;
  /** Absent if the store does not tell which lanes have changed. */
  readonly askLaneChanges?: AskLaneChanges;
  /** Absent if no other process delivers from the store. */
  readonly askBoard?: AskBoard;
  /** Absent if the store has no outbox. */
  readonly askOutbox?: AskOutbox;
  /** Keeps the clock on the time of the store. Absent if the store has no clock. */
  readonly followTime?: FollowTime;
  /** Wraps a request of a host, so that the host does not wait for a stalled store, and none begins before the clock is set. */
  readonly orStalled: OrStalled;
  health(): Health;
  /**
   * Records that a commit begins, with all its tries. The returned function must be called when it has ended, with the fault if it
   * failed.
   */
  beginCommit(): (fault?: StoreFault) => void;
  /** True if the store has ended without being closed. */
  hasEnded(): boolean;
  /** To be called when a write that needs space has succeeded: the store is not full any more. */
  noteNotFull(): void;
}

interface StorageOptions {
  readonly clock: StoreClock;
  readonly emit: EmitEvent;
  /** After how many milliseconds without an answer a store is stalled. */
  readonly stallMs: number;
}

/**
 * Wraps a store so that its methods return results. A corrupt store is not asked again. A full store makes health red
 * until something new is stored, or for a limited time: reads do not prove that there is space, and while health is
 * red, callers may not send the calls that would prove it.
 */
export function createStorage(store: DeliveryStore, { clock, emit, stallMs }: StorageOptions): Storage {
  // Only a store that machines share has a clock. Such a store answers requests side by side.
  const { clock: sharedClock } = store;
  const watch = createStallWatch({
    clock,
    stallMs,
    ...(sharedClock !== undefined && { probe: () => void ask(() => sharedClock.wall()) }),
    onStalled: () => emit({ kind: "store-stalled", forMs: stallMs }),
    onAnswers: (afterMs) => emit({ kind: "store-answers", afterMs }),
  });
  const commitWindow = createCommitWindow(clock);
  let health: Health = { kind: "healthy" };
  let faults = 0;
  let requests = 0;
  /** The number of the last request that has an answer; 0 if none has. */
  let lastAnswered = 0;
  let fullUntil = 0;
  let hasEnded = false;

  store.onEnd?.((why) => {
    hasEnded = true;
    faults += 1;
    if (!isCorrupt()) health = UNAVAILABLE;
    emit({ kind: "store-ended", why });
  });

  /** The failure of a request says nothing about a store that has already answered a later request. */
  function noteFault(fault: StoreFault, error: unknown, request: number): StoreFault {
    faults += 1;
    if (fault.code === "corrupt") health = { kind: "unhealthy", reason: "corrupt" };
    else if (fault.code === "unavailable" && !isCorrupt() && lastAnswered < request) health = UNAVAILABLE;
    else if (fault.code === "full") fullUntil = clock.monotonic() + FULL_FADES_MS;
    // The code is enough for an operator, except for damage. An error without a code is a bug of the store.
    const needsWords = error instanceof Error && (fault.code === "corrupt" || storeErrorCodeOf(error) === undefined);
    emit({ kind: "store-fault", code: fault.code, ...(needsWords ? { why: error.message } : {}) });
    return fault;
  }

  /**
   * Makes health green again, unless a fault came after the answered request was made: its answer then proves nothing.
   */
  function recover(faultsBefore: number): void {
    if (faults === faultsBefore && !isCorrupt()) health = { kind: "healthy" };
  }

  function isCorrupt(): boolean {
    return health.kind === "unhealthy" && health.reason === "corrupt";
  }

  function ask<T>(question: (store: DeliveryStore) => Promise<T>): ResultAsync<T, StoreFault> {
    if (isCorrupt()) return errAsync({ code: "corrupt" });
    if (hasEnded) return errAsync({ code: "unavailable" });
    return new ResultAsync(answerOf(question));
  }

  /**
   * Does not use the methods of `ResultAsync`, which keep their arguments in memory, here whole commits (see
   * enqueue.ts).
   */
  async function answerOf<T>(question: (store: DeliveryStore) => Promise<T>): Promise<Result<T, StoreFault>> {
    const faultsBefore = faults;
    const request = (requests += 1);
    const end = watch.begin();
    try {
      const value = await question(store);
      end(true);
      lastAnswered = Math.max(lastAnswered, request);
      recover(faultsBefore);
      return ok(value);
    } catch (error) {
      const fault = faultOf(error);
      end(fault.code !== "unavailable");
      return err(noteFault(fault, error, request));
    }
  }

  /** Health shows a full or damaged store anyway: only `busy` and `unavailable` count as failures of the window. */
  function beginCommit(): (fault?: StoreFault) => void {
    const end = watch.beginCommit();
    return (fault) => {
      const isMade = fault === undefined;
      if (isMade || fault.code === "busy" || fault.code === "unavailable") commitWindow.note(isMade);
      end(isMade || fault.code === "full");
    };
  }

  const { deletions, records, laneChanges, board, outbox } = store;
  const followTime = sharedClock && createFollowTime({ clock, askTime: () => ask(() => sharedClock.wall()) });
  return {
    ask,
    answersSideBySide: sharedClock !== undefined,
    ...defined({ followTime }),
    ...(deletions === undefined ? {} : { askDeletions: (question) => ask(() => question(deletions)) }),
    ...(records === undefined ? {} : { askRecords: (question) => ask(() => question(records)) }),
    ...(laneChanges === undefined ? {} : { askLaneChanges: (question) => ask(() => question(laneChanges)) }),
    ...(board === undefined ? {} : { askBoard: (question) => ask(() => question(board)) }),
    ...(outbox === undefined ? {} : { askOutbox: (question) => ask(() => question(outbox)) }),
    orStalled: onTime(createOrStalled(watch), { clock, followTime }),
    health: (): Health => {
      if (health.kind === "unhealthy") return health;
      if (watch.isStalled()) return STALLED;
      if (commitWindow.isFailing()) return UNAVAILABLE;
      return clock.monotonic() < fullUntil ? FULL : health;
    },
    beginCommit,
    hasEnded: () => hasEnded,
    noteNotFull: (): void => {
      fullUntil = 0;
    },
  };
}

/** Repeats a request a few times while the store is busy. */
export async function whileBusy<T>(
  clock: Clock,
  ask: () => PromiseLike<Result<T, StoreFault>>,
): Promise<Result<T, StoreFault>> {
  for (const delayMs of BUSY_DELAYS_MS) {
    const result = await ask();
    if (result.isOk() || result.error.code !== "busy") return result;
    await pauseFor(clock, delayMs);
  }
  return ask();
}

export interface CommitMade {
  readonly committed: CommitResult;
  /** The instant at which the commit was requested. */
  readonly askedAt: Instant;
}

export function tryCommit(
  storage: Storage,
  clock: StoreClock,
  changes: Changes,
): Promise<Result<CommitMade, StoreFault>> {
  return whileBusy(clock, async () => {
    const askedAt = instantOf(clock);
    const result = await storage.ask((store) => store.commit(changes, askedAt.wall));
    return result.andThen((committed) => ok({ committed, askedAt }));
  });
}
