// Stores the calls of one slice in one commit, and writes the receipt of each call: its outcome, its refusal, or the time at
// which to send it again. If a slice cannot be stored, the calls that would have passed are shed; refused calls stay refused.

import { type Receipt, type AcceptResult, type Clock, plusMs } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { defined } from "@postrider/core/engine";
import type { RelayFault, StoreFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import type { PreparedCall } from "./prepare-call.js";
import type { MessageQueue } from "./enqueue.js";
import { SHED_RETRY_MS } from "../limits.js";
import type { Draft } from "./reserve.js";
import type { EmitEvent } from "../relay-event.js";
import type { PendingCounts } from "../commits/gathering.js";

/** Needed to count and to report calls that are not stored. */
interface CountContext {
  readonly tally: PendingCounts;
  readonly emit: EmitEvent;
}

/** Needed to shed calls, with the time at which the caller should try again. */
interface ShedContext extends CountContext {
  readonly clock: Clock;
}

/** Needed to store the calls of one slice. */
export interface SliceContext extends CountContext {
  readonly queue: MessageQueue;
}

/** Needed to accept an arrival of one slice. */
export interface StoreContext extends ShedContext, SliceContext {}

/** A receipt for each call of an arrival, in the order of the calls. */
export type ArrivalAnswer = Result<readonly Receipt[], RelayFault>;

/** Stores the calls that pass, if there are any, in one commit; answers the receipts of all calls. */
export async function storeCalls(
  context: SliceContext,
  arrival: Arrival,
  preparedCalls: readonly PreparedCall[],
): Promise<Result<readonly Receipt[], StoreFault>> {
  emitRefused(context, arrival, preparedCalls);
  const drafts = preparedCalls.flatMap((call) => (call.kind === "ok" ? [call.draft] : []));
  if (drafts.length === 0) return ok(writeReceipts(preparedCalls, [], arrival));
  const results = await context.queue.enqueue(drafts);
  return results.isErr() ? err(results.error) : ok(writeReceipts(preparedCalls, results.value, arrival));
}

interface UnstoredArrival {
  readonly arrival: Arrival;
  /** Of the calls before the slice that could not be stored. */
  readonly receipts: readonly Receipt[];
  /** The calls of that slice. */
  readonly preparedCalls: readonly PreparedCall[];
}

/** Answers for an arrival of which a slice, and all calls after that slice, were not stored. */
export function answerFault(
  context: ShedContext,
  { arrival, receipts, preparedCalls }: UnstoredArrival,
  fault: StoreFault,
): ArrivalAnswer {
  if (fault.code === "unavailable" || fault.code === "corrupt") return err({ code: fault.code });
  const refused = preparedCalls.filter((call) => call.kind === "refused");
  const unanswered = arrival.calls.length - receipts.length;
  const shed = shedCalls(context, arrival, unanswered - refused.length);
  const remaining = Array.from({ length: unanswered - preparedCalls.length }, () => shed);
  return ok([...receipts, ...preparedCalls.map((call) => (call.kind === "refused" ? call : shed)), ...remaining]);
}

/** One receipt for each call; `accepted` has the outcomes of the drafts among them, in their order. */
export function writeReceipts(
  preparedCalls: readonly PreparedCall[],
  accepted: readonly AcceptResult[],
  { isBrief = false }: Pick<Arrival, "isBrief">,
): readonly Receipt[] {
  const outcomes = accepted[Symbol.iterator]();
  return preparedCalls.map((call) => {
    if (call.kind === "refused") return { kind: "refused", refusal: call.refusal };
    const outcome: AcceptResult | undefined = outcomes.next().value;
    const { message, warnings } = call.draft;
    if (isBrief && outcome?.kind === "stored") return briefReceipt(message);
    const receipt = receiptOf(message, outcome);
    return warnings === undefined || receipt.kind !== "accepted" ? receipt : { ...receipt, warnings };
  });
}

/** Counts and reports `calls` calls of an arrival as shed; the receipt says when to try again. */
function shedCalls({ clock, tally, emit }: ShedContext, { source }: Arrival, calls: number): Receipt {
  const retryAt = plusMs(clock.wall(), SHED_RETRY_MS);
  if (calls > 0) {
    tally.add(source, "shed", calls);
    emit({ kind: "shed", source, calls });
  }
  return { kind: "shed", retryAt };
}

/** Counts and reports the refused calls. */
function emitRefused({ tally, emit }: CountContext, { source }: Arrival, preparedCalls: readonly PreparedCall[]): void {
  for (const call of preparedCalls) {
    if (call.kind !== "refused") continue;
    tally.add(source, "refused", 1);
    emit({ kind: "refused", source, ...defined({ messageId: call.messageId }), refusal: call.refusal });
  }
}

function receiptOf({ messageId, filtered, receivedAt }: Draft["message"], outcome: AcceptResult | undefined): Receipt {
  switch (outcome?.kind) {
    case "stored":
      return { kind: "accepted", messageId, deliveries: outcome.deliveries, filtered };
    case "outdated":
      return { kind: "shed", retryAt: receivedAt };
    case "suppressed":
      return { kind: "suppressed", messageId };
    case "duplicate":
    case undefined:
      return { kind: "duplicate", messageId };
  }
}

function briefReceipt({ messageId }: Draft["message"]): Receipt {
  return { kind: "accepted", messageId, deliveries: [], filtered: [] };
}
