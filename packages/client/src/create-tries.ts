// Makes tries of batches, and pauses between them, until all is abandoned.

import type { Clock } from "@postrider/core";
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
  /** Sends the calls once, as this try of their batch, counted from 1, and calls `onVerdict` with the meaning of the answer. */
  try(calls: readonly PendingCall[], tryNumber: number, onVerdict: (verdict: BatchVerdict) => void): void;
  /** Calls `goOn` after this time. */
  pause(ms: number, goOn: () => void): void;
  /** Gives up each try and each pause: nothing is called from now on. */
  readonly abandon: () => void;
}

function markCarried(calls: readonly PendingCall[], isCarried: boolean): void {
  for (const call of calls) call.isCarried = isCarried;
}

/** The bytes of the calls in a batch, with a comma for each. */
function bytesOf(calls: readonly PendingCall[]): number {
  return calls.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}

export function createTries({ post, clock, logger }: TriesOptions): Tries {
  /** Functions that give up the requests and pauses under way. */
  const cancellations = new Set<() => void>();
  let isAbandoned = false;
  /** No batch is sent before this time, since an answer has asked for a pause, as by Retry-After. */
  let notBefore = monoMs(0);

  function pause(ms: number, goOn: () => void): void {
    if (isAbandoned) return;
    if (ms <= 0) {
      void Promise.resolve().then(() => {
        if (!isAbandoned) goOn();
      });
      return;
    }
    const cancel = clock.after(ms, () => {
      cancellations.delete(cancel);
      goOn();
    });
    cancellations.add(cancel);
  }

  function judge(answer: BatchAnswer, calls: number): BatchVerdict {
    const verdict = judgeAnswer(answer, calls, clock.wall());
    if (verdict.kind === "again") notBefore = monoMs(Math.max(notBefore, clock.monotonic() + verdict.waitMs));
    return verdict;
  }

  return {
    try: (calls, tryNumber, onVerdict): void => {
      pause(notBefore - clock.monotonic(), () => {
        const body = writeBatch(calls, clock.wall());
        logger.log("debug", { code: "batch-sent", calls: calls.length, bytes: body.length, tries: tryNumber });
        const { giveUp, outlivesPage } = post(body, bytesOf(calls), (answer) => {
          cancellations.delete(giveUp);
          markCarried(calls, false);
          if (!isAbandoned) onVerdict(judge(answer, calls.length));
        });
        markCarried(calls, outlivesPage);
        cancellations.add(giveUp);
      });
    },
    pause,
    abandon: (): void => {
      isAbandoned = true;
      for (const giveUp of cancellations) giveUp();
    },
  };
}
