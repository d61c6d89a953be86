// Makes tries of batches, and pauses between them, until all is abandoned. Must not know what follows a try.

import type { Cancel, Clock } from "@postrider/core";
import { type BatchAnswer, type BatchVerdict, judgeAnswer, monoMs, writeBatch } from "@postrider/core/batch";
import type { PendingCall } from "./create-call-tracker.js";
import type { ClientLogger } from "./logger.js";
import type { PostBatch } from "./post-batch.js";

export interface TriesOptions {
  readonly post: PostBatch;
  readonly clock: Clock;
  readonly logger: ClientLogger;
}

export interface Tries {
  /** Sends the calls once. Resolves with what the answer means, or with undefined once all is abandoned. Never rejects. */
  try(calls: readonly PendingCall[], tries: number): Promise<BatchVerdict | undefined>;
  /** Resolves after this time, or once all is abandoned. */
  pause(ms: number): Promise<void>;
  isAbandoned(): boolean;
  /** Ends each try and each pause; none begins from now on. */
  abandon(): void;
}

export function createTries({ post, clock, logger }: TriesOptions): Tries {
  /** Functions that end the requests and pauses under way; they are called when all is abandoned. */
  const givingUp = new Set<() => void>();
  let isAbandoned = false;
  let notBefore = monoMs(0);

  function pause(ms: number): Promise<void> {
    if (ms <= 0 || isAbandoned) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        givingUp.delete(end);
        resolve();
      };
      const cancel: Cancel = clock.after(ms, end);
      givingUp.add(end);
    });
  }

  function judge(answer: BatchAnswer, calls: number): BatchVerdict | undefined {
    if (isAbandoned) return undefined;
    const verdict = judgeAnswer(answer, calls, clock.wall());
    if (verdict.kind === "again") notBefore = monoMs(Math.max(notBefore, clock.monotonic() + verdict.waitMs));
    return verdict;
  }

  return {
    try: async (calls, tries) => {
      // A server's Retry-After delays all batches.
      await pause(notBefore - clock.monotonic());
      if (isAbandoned) return undefined;
      const body = writeBatch(calls, clock.wall());
      logger.log("debug", { code: "batch-sent", calls: calls.length, bytes: body.length, tries });
      return judge(await post(body, givingUp), calls.length);
    },
    pause,
    isAbandoned: () => isAbandoned,
    abandon: () => {
      isAbandoned = true;
      for (const end of givingUp) end();
    },
  };
}
