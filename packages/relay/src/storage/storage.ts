// The one boundary where a store's rejections become results, and where the relay learns how its store fares. What
// rejects without a code of ours counts as `unavailable`: the outcome is unknown. A corrupt store is not asked again.

import type { DeliveryStore, StoreErrorCode } from "@postrider/core";
import { errAsync, ResultAsync } from "neverthrow";
import type { Happening } from "../happening.js";
import type { Health } from "../relay.js";

export interface StoreFault {
  readonly code: StoreErrorCode;
}

export interface Storage {
  /** Asks the store something. Never throws. */
  ask<T>(question: (store: DeliveryStore) => Promise<T>): ResultAsync<T, StoreFault>;
  health(): Health;
}

/** Lifts a store into results. */
export function createStorage(store: DeliveryStore, tell: (happening: Happening) => void): Storage {
  let health: Health = { kind: "healthy" };
  let faults = 0;

  function learn(fault: StoreFault): StoreFault {
    faults += 1;
    if (fault.code === "corrupt") health = { kind: "unhealthy", reason: "corrupt" };
    else if (fault.code === "unavailable" && !isCorrupt()) health = { kind: "unhealthy", reason: "unavailable" };
    tell({ kind: "store-fault", code: fault.code });
    return fault;
  }

  /** An answer to a question asked before the last fault proves nothing. */
  function recover(faultsBefore: number): void {
    if (faults === faultsBefore && !isCorrupt()) health = { kind: "healthy" };
  }

  function isCorrupt(): boolean {
    return health.kind === "unhealthy" && health.reason === "corrupt";
  }

  return {
    ask: <T>(question: (store: DeliveryStore) => Promise<T>): ResultAsync<T, StoreFault> => {
      if (isCorrupt()) return errAsync({ code: "corrupt" });
      const faultsBefore = faults;
      const answer = ResultAsync.fromThrowable(question, faultOf)(store);
      return answer.mapErr(learn).map((value) => {
        recover(faultsBefore);
        return value;
      });
    },
    health: (): Health => health,
  };
}

const CODES: ReadonlySet<unknown> = new Set<StoreErrorCode>(["busy", "full", "corrupt", "unavailable"]);

function faultOf(error: unknown): StoreFault {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return { code: isStoreErrorCode(code) ? code : "unavailable" };
}

function isStoreErrorCode(code: unknown): code is StoreErrorCode {
  return CODES.has(code);
}
