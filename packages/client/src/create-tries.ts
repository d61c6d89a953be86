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
  /** Sends the calls once, and calls `onVerdict` with the meaning of the answer. */
  try(calls: readonly PendingCall[], tries: number, onVerdict: (verdict: BatchVerdict) => void): void;
  /** Calls `goOn` after this time. */
  pause(ms: number, goOn: () => void): void;
  /** Gives up each try and each pause: nothing is called from now on. */
  readonly abandon: () => void;
}

function carry(calls: readonly PendingCall[], isCarried: boolean): void {
  for (const call of calls) call.isCarried = isCarried;
}

function bytesOf(calls: readonly PendingCall[]): number {
  return calls.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}

export function createTries({ post, clock, logger }: TriesOptions): Tries {
  /** Functions that give up the requests and pauses under way. */
  const givingUp = new Set<() => void>();
  let isAbandoned = false;
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
      givingUp.delete(cancel);
      goOn();
    });
    givingUp.add(cancel);
  }

  function judge(answer: BatchAnswer, calls: number): BatchVerdict {
    const verdict = judgeAnswer(answer, calls, clock.wall());
    if (verdict.kind === "again") notBefore = monoMs(Math.max(notBefore, clock.monotonic() + verdict.waitMs));
    return verdict;
  }

  return {
    try: (calls, tries, onVerdict): void => {
      // A server's Retry-After delays all batches.
      pause(notBefore - clock.monotonic(), () => {
        const body = writeBatch(calls, clock.wall());
        logger.log("debug", { code: "batch-sent", calls: calls.length, bytes: body.length, tries });
        const { giveUp, outlivesPage } = post(body, bytesOf(calls), (answer) => {
          givingUp.delete(giveUp);
          carry(calls, false);
          if (!isAbandoned) onVerdict(judge(answer, calls.length));
        });
        carry(calls, outlivesPage);
        givingUp.add(giveUp);
      });
    },
    pause,
    abandon: (): void => {
      isAbandoned = true;
      for (const giveUp of givingUp) giveUp();
    },
  };
}
