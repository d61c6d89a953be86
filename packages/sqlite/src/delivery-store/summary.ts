// Shows a delivery as a row of a list: without body, attempts and endpoints.

import { defined } from "@postrider/core/engine";
import {
  type DeadReason,
  type DeliverySummary,
  destinationId,
  epochMs,
  type MessageType,
  sourceId,
} from "@postrider/core";
import { readMaybeNumber, readMaybeText, readNumber, readText, type Row } from "../rows/read-row.js";
import { idOf, readState } from "./codes.js";

/** The columns that `readSummary` reads, of `delivery d join message m`. */
export const SUMMARY_COLUMNS = `d.id, d.state, d.reason, d.detail, d.lane, d.accepted_at, d.due_at, d.attempt_count, d.replay_of,
  m.source, m.type, m.message_id`;

export function readSummary(row: Row): DeliverySummary {
  const reason = readMaybeText(row, "reason");
  const detail = readMaybeText(row, "detail");
  const dueAt = readMaybeNumber(row, "due_at");
  const replayOf = readMaybeNumber(row, "replay_of");
  return {
    id: idOf(readNumber(row, "id")),
    state: readState(row),
    source: sourceId(readText(row, "source")),
    destination: destinationId(readText(row, "lane")),
    type: readText(row, "type") as MessageType,
    messageId: readText(row, "message_id"),
    acceptedAt: epochMs(readNumber(row, "accepted_at")),
    attemptCount: readNumber(row, "attempt_count"),
    ...(reason === undefined ? {} : { reason: reason as DeadReason }),
    ...defined({ detail }),
    ...(dueAt === undefined ? {} : { dueAt: epochMs(dueAt) }),
    ...(replayOf === undefined ? {} : { replayOf: idOf(replayOf) }),
  };
}
