// Sends a batch, asks core what the answer means, waits, and sends it again. Each call of a batch ends once: by an answer,
// or because it is abandoned. Must not know when batches are made.

import type { Clock, Random } from "@postrider/core";
import { type BatchSettings, judgeAnswer, monoMs, type Objection, retryBatch, writeBatch } from "@postrider/core/batch";
import type { PendingCall } from "./create-call-tracker.js";
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
  /** Resolves when every call of the batch has ended, or the batch was abandoned. Never rejects. */
  send(calls: readonly PendingCall[]): Promise<void>;
  /** Stops, and returns the calls that have not ended, oldest first. */
  abandon(): readonly PendingCall[];
}

/** Returned when no further try follows. */
const ENDED = "ended";
type Ended = typeof ENDED;

export function createSender(options: SenderOptions): BatchSender {
  const { post, settings, clock, random, logger, onDelivered, onFailed } = options;
  /** The batches that have not ended and are not abandoned. */
  const open = new Set<readonly PendingCall[]>();
  /** What is called when all is abandoned: the ends of the requests and pauses under way. */
  const givingUp = new Set<() => void>();
  let notBefore = monoMs(0);

  /** Makes one try; returns the milliseconds until the next try, or `ENDED` if there is none. */
  async function attempt(calls: readonly PendingCall[], tries: number): Promise<number | Ended> {
    // A server's Retry-After delays all batches.
    await pause(calls, notBefore - clock.monotonic());
    if (!open.has(calls)) return ENDED;
    const body = writeBatch(calls, clock.wall());
    logger.log("debug", { code: "batch-sent", calls: calls.length, bytes: body.length, tries });
    const answer = await post(body, givingUp);
    if (!open.has(calls)) return ENDED;
    const verdict = judgeAnswer(answer, calls.length, clock.wall());
    if (verdict.kind === "taken") return endTaken(calls, verdict.rejected);
    if (verdict.kind === "refused") return fail(calls, "refused", verdict.objection);
    notBefore = monoMs(Math.max(notBefore, clock.monotonic() + verdict.waitMs));
    const next = retryBatch(settings, tries, verdict.waitMs, random.unit());
    if (next.kind === "given-up") return fail(calls, "retries-exhausted", verdict.objection);
    logger.log("warning", { code: "batch-again", detail: verdict.objection.code, tries, afterMs: next.afterMs });
    return next.afterMs;
  }

  function endTaken(calls: readonly PendingCall[], rejected: ReadonlyMap<number, Objection>): Ended {
    logger.log("debug", { code: "batch-taken", calls: calls.length - rejected.size });
    open.delete(calls);
    for (const [index, call] of calls.entries()) {
      const objection = rejected.get(index);
      if (objection === undefined) onDelivered(call);
      else onFailed(call, "rejected", objection);
    }
    return ENDED;
  }

  function fail(calls: readonly PendingCall[], reason: FailReason, objection: Objection): Ended {
    logger.log("error", { code: "batch-failed", calls: calls.length, detail: objection.code });
    open.delete(calls);
    for (const call of calls) onFailed(call, reason, objection);
    return ENDED;
  }

  function pause(calls: readonly PendingCall[], ms: number): Promise<void> {
    if (ms <= 0 || !open.has(calls)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        givingUp.delete(end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      givingUp.add(end);
    });
  }

  return {
    send: async (calls): Promise<void> => {
      open.add(calls);
      for (let tries = 1; tries <= settings.maxRetries + 1; tries += 1) {
        const afterMs = await attempt(calls, tries);
        if (afterMs === ENDED) return;
        await pause(calls, afterMs);
      }
    },
    abandon: () => {
      const left = [...open].flat().toSorted((one, other) => one.sequence - other.sequence);
      open.clear();
      for (const end of givingUp) end();
      return left;
    },
  };
}
