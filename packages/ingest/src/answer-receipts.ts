// What a caller hears of the receipts that its calls got. A suppressed and a filtered call are a success: whom we deliver
// to is no business of the caller's. A shed one sends the whole request back, so that none of it is lost.

import { Buffer } from "node:buffer";
import type { EpochMs, Receipt } from "@postrider/core";
import { type Answer, jsonAnswer, secondsToWait } from "@postrider/http";
import { MAX_REASON_BYTES } from "./limits.js";
import { brokenAnswer, messageOf, unavailableAnswer } from "./refuse.js";

/** For a request of one call. */
export function answerCall(receipt: Receipt | undefined, now: EpochMs): Answer {
  if (receipt === undefined) return unavailableAnswer();
  switch (receipt.kind) {
    case "accepted":
    case "duplicate":
    case "suppressed":
      return jsonAnswer(200, { success: true, messageId: receipt.messageId });
    case "refused":
      return brokenAnswer(receipt.refusal);
    case "shed":
      return unavailableAnswer(secondsToWait(receipt.retryAt - now));
  }
}

/**
 * For a batch: `accepted + duplicates + rejected.length` is the number of its calls. However many are refused, each has
 * its index and its code; path and message are left out where those before have filled what an answer says of reasons.
 */
export function answerBatch(receipts: readonly Receipt[], now: EpochMs): Answer {
  const shed = receipts.find((receipt) => receipt.kind === "shed");
  if (shed !== undefined) return unavailableAnswer(secondsToWait(shed.retryAt - now));
  return jsonAnswer(200, {
    success: true,
    accepted: receipts.filter(({ kind }) => kind === "accepted" || kind === "suppressed").length,
    duplicates: receipts.filter(({ kind }) => kind === "duplicate").length,
    rejected: rejectionsOf(receipts),
  });
}

function rejectionsOf(receipts: readonly Receipt[]): readonly object[] {
  let leftBytes = MAX_REASON_BYTES;
  return receipts.flatMap((receipt, index) => {
    if (receipt.kind !== "refused") return [];
    const { code, path } = receipt.refusal;
    const whole = { index, code, path, message: messageOf(receipt.refusal) };
    if (leftBytes >= 0) leftBytes -= Buffer.byteLength(JSON.stringify(whole));
    return [leftBytes >= 0 ? whole : { index, code }];
  });
}
