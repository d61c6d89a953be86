// Shows a row of a delivery as lists and look-ups have it.

import { type DeliverySummary, destinationId, epochMs, sourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { readDigits, readOptionalNumber, readOptionalText, readAnyText, type TextRow } from "../wire/read-row.js";
import { idAtPlace, readReason, stateOfCode, readType } from "./codes.js";

/** The summary of a row; `id` is the number of its message. */
export function summariseRow(row: TextRow, id: number): DeliverySummary {
  const [reason, dueAt, replayOf] = ["reason", "due_at", "replay_of"].map((name) => readOptionalNumber(row, name));
  return {
    id: idAtPlace({ id, place: readDigits(row, "place") }),
    state: stateOfCode(readDigits(row, "state")),
    source: sourceId(readAnyText(row, "source")),
    destination: destinationId(readAnyText(row, "lane")),
    type: readType(readDigits(row, "type")),
    messageId: readAnyText(row, "message_id"),
    acceptedAt: epochMs(readDigits(row, "accepted_at")),
    attemptCount: readDigits(row, "attempt_count"),
    ...defined({
      reason: reason === undefined ? undefined : readReason(reason),
      detail: readOptionalText(row, "detail"),
      dueAt: dueAt === undefined ? undefined : epochMs(dueAt),
      replayOf:
        replayOf === undefined ? undefined : idAtPlace({ id: replayOf, place: readDigits(row, "replay_of_place") }),
    }),
  };
}
