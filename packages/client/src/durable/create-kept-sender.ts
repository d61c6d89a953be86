// Sends the batches of calls that are kept in a storage. A call ends only when the server has taken it or rejects it by name; until then it
// is sent again, after a growing pause. A batch that the server refuses as a whole is halved until one call stands alone.

import { isolateCall, type MonoMs, type Objection, retryBatch } from "@postrider/core/batch";
import type { PendingCall } from "../create-call-tracker.js";
import { type BatchSender, endTaken, type SendDone, type SenderOptions } from "../create-sender.js";
import { createTries } from "../create-tries.js";

/** After this many calls of a batch in a row were refused alone, its rest waits: the server may refuse all. */
const MAX_REFUSED_ALONE = 2;

/** A batch while it is sent. */
interface Batch {
  /** The parts that are still to be sent, in their order. */
  readonly parts: (readonly PendingCall[])[];
  /** The calls that are to be sent again, with others. */
  readonly again: PendingCall[];
  readonly onDone: SendDone;
  /** Tries in a row without an answer that ends or divides a part. */
  failed: number;
  /** Calls that were refused alone since a part was taken. */
  refusedAlone: number;
}

/** `holdBack` is called before a call leaves the memory as set aside although the server may refuse all calls. */
export function createKeptSender(options: SenderOptions, holdBack: (call: PendingCall) => void): BatchSender {
  const { settings, clock, random, logger, onFailed } = options;
  const tries = createTries(options);
  /** Calls that were refused alone may take half of the memory, so that there is room for others. */
  const mostRefused = Math.ceil(settings.maxQueued.calls / 2);
  /** For each call that was refused alone: how many tries had begun then. */
  const refusedAt = new Map<PendingCall, number>();
  /** The number of tries that have begun, and the number of the last one that was taken. */
  let [triesBegun, takenLast] = [0, 0];
  /** The instant since which the server refuses whatever it gets; undefined after it has taken a batch. */
  let refusingSince: MonoMs | undefined;
  /** The code of the objection that was logged last, since the server has taken a batch. */
  let lastCode: string | undefined;

  /** Goes on after a pause, longer each time; logs a new objection as a warning, and its repetitions as details. */
  function pause(batch: Batch, failed: number, { code }: Objection, waitMs: number): void {
    const afterMs = retryBatch({ ...settings, maxRetries: Infinity }, failed, waitMs, random.unit()) ?? 0;
    logger.log(lastCode === code ? "debug" : "warning", { code: "batch-again", detail: code, tries: failed, afterMs });
    lastCode = code;
    tries.pause(afterMs, () => sendNext(batch));
  }

  /** Goes on after a pause about as long as the server has refused all so far. */
  function pauseWhileRefusing(batch: Batch, objection: Objection): void {
    const nowMs = clock.monotonic();
    refusingSince ??= nowMs;
    const failed = 1 + Math.floor(Math.log2(1 + (nowMs - refusingSince) / settings.firstRetryMs));
    pause(batch, failed, objection, 0);
  }

  function end(calls: readonly PendingCall[], rejected: ReadonlyMap<number, Objection>, tryNumber: number): void {
    takenLast = Math.max(takenLast, tryNumber);
    refusingSince = undefined;
    lastCode = undefined;
    for (const call of calls) refusedAt.delete(call);
    endTaken(calls, rejected, options);
  }

  function setAside(call: PendingCall, objection: Objection): void {
    logger.log("error", { code: "call-set-aside", calls: 1, detail: objection.code });
    refusedAt.delete(call);
    onFailed(call, "set-aside", objection);
  }

  /** Finds the call for which a part of the batch is refused, and goes on. */
  function isolate(batch: Batch, part: readonly PendingCall[], objection: Objection): void {
    const [call] = part as readonly [PendingCall];
    const step = isolateCall({ calls: part.length, takenLast, refusedAt: refusedAt.get(call) });
    const half = part.length >> 1;
    if (step.kind === "halve") batch.parts.unshift(part.slice(0, half), part.slice(half));
    if (step.kind === "set-aside") setAside(call, objection);
    if (step.kind === "later") sendLater(batch, call, objection);
    else sendNext(batch);
  }

  /** Sends a call that was refused alone again, with others; the rest of its batch too, if the server seems to refuse all. */
  function sendLater(batch: Batch, call: PendingCall, objection: Objection): void {
    refusedAt.set(call, triesBegun);
    if (refusedAt.size <= mostRefused) batch.again.push(call);
    else {
      holdBack(call);
      setAside(call, objection);
    }
    batch.refusedAlone += 1;
    if (batch.refusedAlone < MAX_REFUSED_ALONE && batch.parts.length > 0) sendNext(batch);
    else {
      batch.again.unshift(...batch.parts.splice(0).flat());
      pauseWhileRefusing(batch, objection);
    }
  }

  function sendNext(batch: Batch): void {
    const part = batch.parts.shift();
    if (part === undefined) {
      batch.onDone(batch.again);
      return;
    }
    const tryNumber = (triesBegun += 1);
    tries.try(part, batch.failed + 1, (verdict) => {
      if (verdict.kind === "refused") isolate(batch, part, verdict.objection);
      else if (verdict.kind === "again") {
        batch.parts.unshift(part);
        batch.failed += 1;
        pause(batch, batch.failed, verdict.objection, verdict.waitMs);
      } else {
        end(part, verdict.rejected, tryNumber);
        batch.failed = 0;
        batch.refusedAlone = 0;
        sendNext(batch);
      }
    });
  }

  function send(calls: readonly PendingCall[], onDone: SendDone): void {
    sendNext({ parts: [calls], again: [], failed: 0, refusedAlone: 0, onDone });
  }

  return { send, abandon: tries.abandon };
}
