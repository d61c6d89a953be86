// The one boundary where a store's rejections become results, and where the relay learns how its store fares. What
// rejects without a code of ours counts as `unavailable`: the outcome is unknown. A corrupt store is not asked again. That
// a store is full is shown until something new is stored, or for a while: reads prove nothing, and without a sign of
// health nobody may send the call that would prove it.

import type { Clock, DeletionStore, DeliveryStore, StoreErrorCode } from "@postrider/core";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import type { RelayEvent } from "../relay-event.js";
import { FULL_FADES_MS } from "../limits.js";
import type { Health } from "../relay.js";
import { createOrStalled, type OrStalled } from "./or-stalled.js";
import { createStallWatch } from "./stall-watch.js";

export interface StoreFault {
  readonly code: StoreErrorCode;
}

/** Asks the store something about users. Never throws. */
export type AskDeletions = <T>(question: (deletions: DeletionStore) => Promise<T>) => ResultAsync<T, StoreFault>;

export interface Storage {
  /** Asks the store something. Never throws. */
  ask<T>(question: (store: DeliveryStore) => Promise<T>): ResultAsync<T, StoreFault>;
  /** Absent when the store knows nothing of users. */
  readonly askDeletions?: AskDeletions;
  /** For what a host asks: it does not wait for a store that stands still. */
  readonly orStalled: OrStalled;
  health(): Health;
  /** Whether the store has come to an end by itself. */
  hasEnded(): boolean;
  /** Something that asks for room was stored: the store is not full any more. */
  noteSpaceFreed(): void;
}

export interface StorageOptions {
  readonly clock: Clock;
  readonly emit: (event: RelayEvent) => void;
  /** From which age on a question shows that the store stands still, in milliseconds. */
  readonly stallMs: number;
}

/** Lifts a store into results. */
export function createStorage(store: DeliveryStore, { clock, emit, stallMs }: StorageOptions): Storage {
  const watch = createStallWatch({
    clock,
    stallMs,
    onStalled: () => emit({ kind: "store-stalled", forMs: stallMs }),
    onAnswers: (afterMs) => emit({ kind: "store-answers", afterMs }),
  });
  let health: Health = { kind: "healthy" };
  let faults = 0;
  let fullUntil = 0;
  let hasEnded = false;

  store.onEnd?.((why) => {
    hasEnded = true;
    faults += 1;
    if (!isCorrupt()) health = UNAVAILABLE;
    emit({ kind: "store-ended", why });
  });

  function learn(fault: StoreFault, error: unknown): StoreFault {
    faults += 1;
    if (fault.code === "corrupt") health = { kind: "unhealthy", reason: "corrupt" };
    else if (fault.code === "unavailable" && !isCorrupt()) health = UNAVAILABLE;
    else if (fault.code === "full") fullUntil = clock.monotonic() + FULL_FADES_MS;
    const why = fault.code === "corrupt" && error instanceof Error ? { why: error.message } : {};
    emit({ kind: "store-fault", code: fault.code, ...why });
    return fault;
  }

  /** An answer to a question asked before the last fault proves nothing. */
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

  /** By hand where `ResultAsync` has methods: these keep what they have seen, here whole commits (see store-messages.ts). */
  async function answerOf<T>(question: (store: DeliveryStore) => Promise<T>): Promise<Result<T, StoreFault>> {
    const faultsBefore = faults;
    const end = watch.begin();
    try {
      const value = await question(store);
      end(true);
      recover(faultsBefore);
      return ok(value);
    } catch (error) {
      const fault = faultOf(error);
      end(fault.code !== "unavailable");
      return err(learn(fault, error));
    }
  }

  const { deletions } = store;
  return {
    ask,
    ...(deletions === undefined ? {} : { askDeletions: (question) => ask(() => question(deletions)) }),
    orStalled: createOrStalled(watch),
    health: (): Health => {
      if (health.kind === "unhealthy") return health;
      if (watch.isStalled()) return STALLED;
      return clock.monotonic() < fullUntil ? FULL : health;
    },
    hasEnded: () => hasEnded,
    noteSpaceFreed: (): void => {
      fullUntil = 0;
    },
  };
}

const UNAVAILABLE: Health = { kind: "unhealthy", reason: "unavailable" };
const STALLED: Health = { kind: "unhealthy", reason: "stalled" };
const FULL: Health = { kind: "unhealthy", reason: "full" };

const CODES: ReadonlySet<unknown> = new Set<StoreErrorCode>(["busy", "full", "corrupt", "unavailable"]);

/** What a store's rejection means. */
export function faultOf(error: unknown): StoreFault {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return { code: isStoreErrorCode(code) ? code : "unavailable" };
}

function isStoreErrorCode(code: unknown): code is StoreErrorCode {
  return CODES.has(code);
}
