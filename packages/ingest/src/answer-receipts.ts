// Turns the receipts of calls into an answer. Suppressed and filtered calls are answered as a success, so that a caller does
// not learn what is delivered. If one call was shed, the whole request is answered 503, so that the caller sends it again.

import { Buffer } from "node:buffer";
import type { EpochMs, Receipt } from "@postrider/core";
import { type Answer, jsonAnswer, retryAfterSeconds } from "@postrider/http";
import { MAX_REJECTED_ENTRY_BYTES } from "./limits.js";
import { brokenRuleAnswer, messageOf, retryLaterAnswer } from "./refuse.js";

/** The answer to a request of one call. */
export function answerCall(receipt: Receipt | undefined, now: EpochMs): Answer {
  if (receipt === undefined) return retryLaterAnswer();
  switch (receipt.kind) {
    case "accepted":
    case "duplicate":
    case "suppressed":
      return jsonAnswer(200, { success: true, messageId: receipt.messageId });
    case "refused":
      return brokenRuleAnswer(receipt.refusal);
    case "shed":
      return retryLaterAnswer(retryAfterSeconds(receipt.retryAt - now));
  }
}

/**
 * The answer to a batch: `accepted + duplicates + rejected.length` is the number of its calls. Each refused call has an
 * entry with its index and code, and with path and message while these entries together fit into `MAX_REASON_BYTES`.
 */
export function answerBatch(receipts: readonly Receipt[], now: EpochMs): Answer {
  const shed = receipts.find((receipt) => receipt.kind === "shed");
  if (shed !== undefined) return retryLaterAnswer(retryAfterSeconds(shed.retryAt - now));
  return jsonAnswer(200, {
    success: true,
    accepted: receipts.filter(({ kind }) => kind === "accepted" || kind === "suppressed").length,
    duplicates: receipts.filter(({ kind }) => kind === "duplicate").length,
    rejected: rejectionsOf(receipts),
  });
}

function rejectionsOf(receipts: readonly Receipt[]): readonly object[] {
  let leftBytes = MAX_REJECTED_ENTRY_BYTES;
  return receipts.flatMap((receipt, index) => {
    if (receipt.kind !== "refused") return [];
    const { code, path } = receipt.refusal;
    const whole = { index, code, path, message: messageOf(receipt.refusal) };
    if (leftBytes >= 0) leftBytes -= Buffer.byteLength(JSON.stringify(whole));
    return [leftBytes >= 0 ? whole : { index, code }];
  });
}
