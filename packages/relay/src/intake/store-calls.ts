// Stores the calls of one slice in one commit, and answers for an arrival of which a slice could not be stored: the calls
// that would have passed are shed, refused calls stay refused. Must not know how an arrival is divided.

import type { Receipt } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { RelayFault } from "../fault.js";
import type { Arrival } from "../relay.js";
import type { StoreFault } from "../storage/store-fault.js";
import type { ShedContext, SliceContext } from "./context.js";
import type { PreparedCall } from "./prepare-call.js";
import { emitRefused, shedCalls, writeReceipts } from "./write-receipts.js";

/** A receipt for each call of an arrival, in the order of the calls. */
export type ArrivalAnswer = Result<readonly Receipt[], RelayFault>;

/** Stores the calls that pass, if there are any, in one commit; answers the receipts of all calls. */
export async function storeCalls(
  context: SliceContext,
  arrival: Arrival,
  taken: readonly PreparedCall[],
): Promise<Result<readonly Receipt[], StoreFault>> {
  emitRefused(context, arrival, taken);
  const drafts = taken.flatMap((one) => (one.kind === "ok" ? [one.draft] : []));
  if (drafts.length === 0) return ok(writeReceipts(taken, [], arrival));
  const stored = await context.queue.enqueue(drafts);
  return stored.isErr() ? err(stored.error) : ok(writeReceipts(taken, stored.value, arrival));
}

export interface UnstoredArrival {
  readonly arrival: Arrival;
  /** Of the calls before the slice that could not be stored. */
  readonly receipts: readonly Receipt[];
  /** The calls of that slice. */
  readonly taken: readonly PreparedCall[];
}

/** Answers for an arrival of which a slice, and all calls after that slice, were not stored. */
export function answerFault(
  context: ShedContext,
  { arrival, receipts, taken }: UnstoredArrival,
  fault: StoreFault,
): ArrivalAnswer {
  if (fault.code === "unavailable" || fault.code === "corrupt") return err({ code: fault.code });
  const refused = taken.filter((one) => one.kind === "refused");
  const left = arrival.calls.length - receipts.length;
  const shed = shedCalls(context, arrival, left - refused.length);
  const others = Array.from({ length: left - taken.length }, () => shed);
  return ok([...receipts, ...taken.map((one) => (one.kind === "refused" ? one : shed)), ...others]);
}
