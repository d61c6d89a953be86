// Sends a batch, lets core judge the answer, waits, and sends it again. Each call of a batch ends once: by an answer, or because it is
// abandoned.

import type { Random } from "@postrider/core";
import { type BatchSettings, type Objection, retryBatch } from "@postrider/core/batch";
import type { PendingCall } from "./create-call-tracker.js";
import { createTries, type TriesOptions } from "./create-tries.js";
import type { FailReason } from "./outcome.js";

export interface SenderOptions extends TriesOptions {
  readonly settings: BatchSettings;
  readonly random: Random;
  readonly onDelivered: (call: PendingCall) => void;
  readonly onFailed: (call: PendingCall, reason: FailReason, objection: Objection) => void;
}

export type SendDone = (callsToRepeat: readonly PendingCall[]) => void;

export interface BatchSender {
  /** Calls `onDone` once each call has ended or is to be sent again in another batch, with those that are to be sent again. */
  send(calls: readonly PendingCall[], onDone: SendDone): void;
  /** Stops: no call ends from now on. */
  abandon(): void;
}

export function createSender(options: SenderOptions): BatchSender {
  const { settings, random, logger, onFailed } = options;
  const tries = createTries(options);

  function fail(calls: readonly PendingCall[], reason: FailReason, objection: Objection): void {
    logger.log("error", { code: "batch-failed", calls: calls.length, detail: objection.code });
    for (const call of calls) onFailed(call, reason, objection);
  }

  function attempt(calls: readonly PendingCall[], tryNumber: number, onDone: SendDone): void {
    tries.try(calls, tryNumber, (verdict) => {
      if (verdict.kind === "taken") endTaken(calls, verdict.rejected, options);
      else if (verdict.kind === "refused") fail(calls, "refused", verdict.objection);
      else {
        const afterMs = retryBatch(settings, tryNumber, verdict.waitMs, random.unit());
        if (afterMs !== undefined) {
          logger.log("warning", { code: "batch-again", detail: verdict.objection.code, tries: tryNumber, afterMs });
          tries.pause(afterMs, () => attempt(calls, tryNumber + 1, onDone));
          return;
        }
        fail(calls, "retries-exhausted", verdict.objection);
      }
      onDone([]);
    });
  }

  return { send: (calls, onDone) => attempt(calls, 1, onDone), abandon: tries.abandon };
}

/** Ends the calls of a batch that the server has taken, except for those that it rejects. */
export function endTaken(
  calls: readonly PendingCall[],
  rejected: ReadonlyMap<number, Objection>,
  { logger, onDelivered, onFailed }: Pick<SenderOptions, "logger" | "onDelivered" | "onFailed">,
): void {
  logger.log("debug", { code: "batch-taken", calls: calls.length - rejected.size });
  for (const [index, call] of calls.entries()) {
    const objection = rejected.get(index);
    if (objection === undefined) onDelivered(call);
    else onFailed(call, "rejected", objection);
  }
}
