// Shows a row of a delivery as lists and look-ups have it.

import { type DeliverySummary, destinationId, epochMs, sourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { readNumber, readOptionalNumber, readOptionalText, readText, type Row } from "../wire/read-row.js";
import { idOf, readReason, readState, readType } from "./codes.js";

/** The summary of a row; `id` is the number of its message. */
export function summarise(row: Row, id: number): DeliverySummary {
  const [reason, dueAt, replayOf] = ["reason", "due_at", "replay_of"].map((name) => readOptionalNumber(row, name));
  return {
    id: idOf({ id, place: readNumber(row, "place") }),
    state: readState(readNumber(row, "state")),
    source: sourceId(readText(row, "source")),
    destination: destinationId(readText(row, "lane")),
    type: readType(readNumber(row, "type")),
    messageId: readText(row, "message_id"),
    acceptedAt: epochMs(readNumber(row, "accepted_at")),
    attemptCount: readNumber(row, "attempt_count"),
    ...defined({
      reason: reason === undefined ? undefined : readReason(reason),
      detail: readOptionalText(row, "detail"),
      dueAt: dueAt === undefined ? undefined : epochMs(dueAt),
      replayOf: replayOf === undefined ? undefined : idOf({ id: replayOf, place: readNumber(row, "replay_of_place") }),
    }),
  };
}
