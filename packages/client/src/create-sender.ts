// Sends a batch, asks core what the answer means, waits, and sends it again. Each call of a batch ends once: by an answer,
// or because it is abandoned. Must not know when batches are made.

import type { Clock, Random } from "@postrider/core";
import { type BatchSettings, type Objection, retryBatch } from "@postrider/core/batch";
import type { PendingCall } from "./create-call-tracker.js";
import { createTries } from "./create-tries.js";
import type { ClientLogger } from "./logger.js";
import type { FailReason } from "./outcome.js";
import type { PostBatch } from "./post-batch.js";

export interface SenderOptions {
  readonly post: PostBatch;
  readonly settings: BatchSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: ClientLogger;
  readonly onDelivered: (call: PendingCall) => void;
  readonly onFailed: (call: PendingCall, reason: FailReason, objection: Objection) => void;
}

export interface BatchSender {
  /** Resolves with the calls that are to be sent again, with others; all other calls have ended, or were abandoned. Never rejects. */
  send(calls: readonly PendingCall[]): Promise<readonly PendingCall[]>;
  /** Stops, and returns the calls that have not ended, oldest first. */
  abandon(): readonly PendingCall[];
}

export function createSender(options: SenderOptions): BatchSender {
  const { settings, random, logger, onFailed } = options;
  const tries = createTries(options);
  /** The calls that have not ended. */
  const open = new Set<PendingCall>();

  function fail(calls: readonly PendingCall[], reason: FailReason, objection: Objection): readonly PendingCall[] {
    logger.log("error", { code: "batch-failed", calls: calls.length, detail: objection.code });
    for (const call of calls) {
      open.delete(call);
      onFailed(call, reason, objection);
    }
    return [];
  }

  async function send(calls: readonly PendingCall[]): Promise<readonly PendingCall[]> {
    for (const call of calls) open.add(call);
    for (let made = 1; ; made += 1) {
      const verdict = await tries.try(calls, made);
      if (verdict === undefined) return [];
      if (verdict.kind === "taken") return endTaken(calls, verdict.rejected, open, options);
      if (verdict.kind === "refused") return fail(calls, "refused", verdict.objection);
      const next = retryBatch(settings, made, verdict.waitMs, random.unit());
      if (next.kind === "given-up") return fail(calls, "retries-exhausted", verdict.objection);
      const { afterMs } = next;
      logger.log("warning", { code: "batch-again", detail: verdict.objection.code, tries: made, afterMs });
      await tries.pause(afterMs);
    }
  }

  return { send, abandon: () => abandonOpen(tries, open) };
}

/** Ends the calls of a batch that the server has taken, except for those that it rejects. */
export function endTaken(
  calls: readonly PendingCall[],
  rejected: ReadonlyMap<number, Objection>,
  open: Set<PendingCall>,
  { logger, onDelivered, onFailed }: Pick<SenderOptions, "logger" | "onDelivered" | "onFailed">,
): readonly PendingCall[] {
  logger.log("debug", { code: "batch-taken", calls: calls.length - rejected.size });
  for (const [index, call] of calls.entries()) {
    open.delete(call);
    const objection = rejected.get(index);
    if (objection === undefined) onDelivered(call);
    else onFailed(call, "rejected", objection);
  }
  return [];
}

/** Stops all tries, and returns the calls that have not ended, oldest first. */
export function abandonOpen(tries: { abandon(): void }, open: Set<PendingCall>): readonly PendingCall[] {
  const left = [...open].sort((one, other) => one.sequence - other.sequence);
  open.clear();
  tries.abandon();
  return left;
}
