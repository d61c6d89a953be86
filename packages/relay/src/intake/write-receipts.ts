// Writes the receipts of processed calls: the outcome of each stored call, the reason of each refusal, and the time at
// which to send shed calls again.

import { type AcceptResult, plusMs, type Receipt } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { SHED_RETRY_MS } from "../limits.js";
import type { Arrival } from "../relay.js";
import type { CountContext, ShedContext } from "./context.js";
import type { Draft } from "./reserve.js";
import type { PreparedCall } from "./prepare-call.js";

/** One receipt for each call; `accepted` has the outcomes of the drafts among them, in their order. */
export function writeReceipts(
  taken: readonly PreparedCall[],
  accepted: readonly AcceptResult[],
  { isBrief = false }: Pick<Arrival, "isBrief">,
): readonly Receipt[] {
  const outcomes = accepted[Symbol.iterator]();
  return taken.map((one) => {
    if (one.kind === "refused") return { kind: "refused", refusal: one.refusal };
    const outcome: AcceptResult | undefined = outcomes.next().value;
    const { message, warnings } = one.draft;
    if (isBrief && outcome?.kind === "stored") return brief(message);
    const receipt = receiptOf(message, outcome);
    return warnings === undefined || receipt.kind !== "accepted" ? receipt : { ...receipt, warnings };
  });
}

/** Counts and reports `calls` calls of an arrival as shed; the receipt says when to try again. */
export function shedCalls({ clock, tally, emit }: ShedContext, { source }: Arrival, calls: number): Receipt {
  const retryAt = plusMs(clock.wall(), SHED_RETRY_MS);
  if (calls > 0) {
    tally.add(source, "shed", calls);
    emit({ kind: "shed", source, calls });
  }
  return { kind: "shed", retryAt };
}

/** Counts and reports the refused calls. */
export function emitRefused({ tally, emit }: CountContext, { source }: Arrival, taken: readonly PreparedCall[]): void {
  for (const one of taken) {
    if (one.kind !== "refused") continue;
    tally.add(source, "refused", 1);
    emit({ kind: "refused", source, ...defined({ messageId: one.messageId }), refusal: one.refusal });
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

function brief({ messageId }: Draft["message"]): Receipt {
  return { kind: "accepted", messageId, deliveries: [], filtered: [] };
}
