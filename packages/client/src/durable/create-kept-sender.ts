// Sends the batches of calls that are kept in a storage. A call ends only when the server has taken it or rejects it by name;
// until then it is sent again, after a growing pause. What a server refuses as a whole is halved until one call stands alone.

import { isolateCall, type MonoMs, type Objection, retryBatch } from "@postrider/core/batch";
import type { PendingCall } from "../create-call-tracker.js";
import { abandonOpen, type BatchSender, endTaken, type SenderOptions } from "../create-sender.js";
import { createTries } from "../create-tries.js";

/** Calls of one batch that are refused alone, while none is taken, before the rest of it waits: the server may refuse all. */
const MAX_REFUSED_ALONE = 2;

/** A batch while it is sent. */
interface Batch {
  /** What is still to be sent, in its order. */
  readonly parts: (readonly PendingCall[])[];
  /** The calls that are to be sent again, with others. */
  readonly again: PendingCall[];
  /** Tries in a row without an answer that ends or divides a part. */
  failed: number;
  /** Calls that were refused alone since a part was taken. */
  refusedAlone: number;
}

/** `holdBack` hears of a call that is about to leave the memory as set aside, though the server may refuse all. */
export function createKeptSender(options: SenderOptions, holdBack: (call: PendingCall) => void): BatchSender {
  const { settings, clock, random, logger, onFailed } = options;
  const tries = createTries(options);
  const open = new Set<PendingCall>();
  /** Calls that were refused alone may take half of the memory, so that there is room for others. */
  const mostRefused = Math.ceil(settings.maxQueued.calls / 2);
  /** For each call that was refused alone: how many tries had begun then. */
  const refusedAt = new Map<PendingCall, number>();
  /** How many tries have begun, and the number of the last one that was taken. */
  let [begun, takenLast] = [0, 0];
  /** Since when it refuses whatever it gets; undefined after it has taken a batch. */
  let refusingSince: MonoMs | undefined;
  /** The code of the objection that was told last, since the server has taken a batch. */
  let told: string | undefined;

  /** Waits before a further try, longer each time; logs a new objection as a warning, and its repetitions as details. */
  function pause(failed: number, { code }: Objection, waitMs: number): Promise<void> {
    const next = retryBatch({ ...settings, maxRetries: Infinity }, failed, waitMs, random.unit());
    const afterMs = next.kind === "again" ? next.afterMs : 0;
    logger.log(told === code ? "debug" : "warning", { code: "batch-again", detail: code, tries: failed, afterMs });
    told = code;
    return tries.pause(afterMs);
  }

  /** Waits about as long as the server has refused all so far. */
  function pauseWhileRefusing(objection: Objection): Promise<void> {
    const now = clock.monotonic();
    refusingSince ??= now;
    return pause(1 + Math.floor(Math.log2(1 + (now - refusingSince) / settings.firstRetryMs)), objection, 0);
  }

  function end(calls: readonly PendingCall[], rejected: ReadonlyMap<number, Objection>, number: number): void {
    takenLast = Math.max(takenLast, number);
    refusingSince = undefined;
    told = undefined;
    for (const call of calls) refusedAt.delete(call);
    endTaken(calls, rejected, open, options);
  }

  function setAside(call: PendingCall, objection: Objection): void {
    logger.log("error", { code: "call-set-aside", calls: 1, detail: objection.code });
    open.delete(call);
    refusedAt.delete(call);
    onFailed(call, "set-aside", objection);
  }

  /** Finds the call for which a part of the batch is refused. */
  async function isolate(batch: Batch, part: readonly PendingCall[], objection: Objection): Promise<void> {
    const [call] = part as readonly [PendingCall];
    const after = isolateCall({ calls: part.length, takenLast, refusedAt: refusedAt.get(call) });
    const half = Math.ceil(part.length / 2);
    if (after.kind === "halve") batch.parts.unshift(part.slice(0, half), part.slice(half));
    if (after.kind === "set-aside") setAside(call, objection);
    if (after.kind !== "later") return;
    refusedAt.set(call, begun);
    if (refusedAt.size <= mostRefused) batch.again.push(call);
    else {
      holdBack(call);
      setAside(call, objection);
    }
    batch.refusedAlone += 1;
    if (batch.refusedAlone < MAX_REFUSED_ALONE && batch.parts.length > 0) return;
    batch.again.unshift(...batch.parts.splice(0).flat());
    await pauseWhileRefusing(objection);
  }

  async function send(calls: readonly PendingCall[]): Promise<readonly PendingCall[]> {
    for (const call of calls) open.add(call);
    const batch: Batch = { parts: [calls], again: [], failed: 0, refusedAlone: 0 };
    for (let part = batch.parts.shift(); part !== undefined; part = batch.parts.shift()) {
      const number = (begun += 1);
      const verdict = await tries.try(part, batch.failed + 1);
      if (verdict === undefined) return [];
      if (verdict.kind === "refused") await isolate(batch, part, verdict.objection);
      if (verdict.kind === "again") {
        batch.parts.unshift(part);
        batch.failed += 1;
        await pause(batch.failed, verdict.objection, verdict.waitMs);
      }
      if (verdict.kind === "taken") {
        end(part, verdict.rejected, number);
        batch.failed = 0;
        batch.refusedAlone = 0;
      }
    }
    if (tries.isAbandoned()) return [];
    for (const call of batch.again) open.delete(call);
    return batch.again;
  }

  return { send, abandon: () => abandonOpen(tries, open) };
}
