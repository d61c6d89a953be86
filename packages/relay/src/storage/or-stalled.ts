// Answers requests of a host instead of a stalled store: new requests are not sent to the store, and waiting ones are
// answered `unavailable`, since their outcome is unknown. The work of a waiting request goes on, and ends when the
// store answers (decision: stalled stores).

import { err, errAsync, type Result, ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";
import type { StallWatch } from "./stall-watch.js";

export type OrStalled = <T, E>(work: () => ResultAsync<T, E>) => ResultAsync<T, E | RelayFault>;

/** Wraps the requests of a host. Does not use the methods of `ResultAsync`, for the reason given in enqueue.ts. */
export function createOrStalled({ isStalled, onStall }: Pick<StallWatch, "isStalled" | "onStall">): OrStalled {
  return <T, E>(work: () => ResultAsync<T, E>) => {
    if (isStalled()) return errAsync(UNAVAILABLE);
    const answered = new Promise<Result<T, E | RelayFault>>((resolve) => {
      const cancel = onStall(() => resolve(err(UNAVAILABLE)));
      void work().then((result) => {
        cancel();
        resolve(result);
      });
    });
    return new ResultAsync(answered);
  };
}

const UNAVAILABLE: RelayFault = { code: "unavailable" };
