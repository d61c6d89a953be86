// A delivery as a row of a list: without body, attempts and endpoints.

import type { DeadReason, DeliverySummary, DestinationId, EpochMs, MessageType, SourceId } from "@postrider/core";
import { readMaybeNumber, readMaybeText, readNumber, readText, type Row } from "../rows/read-row.js";
import { idOf, readState } from "./codes.js";

/** The columns that `readSummary` reads, of `delivery d join message m`. */
export const SUMMARY = `d.id, d.state, d.reason, d.detail, d.lane, d.accepted_at, d.due_at, d.attempt_count, d.replay_of,
  m.source, m.type, m.message_id`;

export function readSummary(row: Row): DeliverySummary {
  const reason = readMaybeText(row, "reason");
  const detail = readMaybeText(row, "detail");
  const dueAt = readMaybeNumber(row, "due_at");
  const replayOf = readMaybeNumber(row, "replay_of");
  return {
    id: idOf(readNumber(row, "id")),
    state: readState(row),
    source: readText(row, "source") as SourceId,
    destination: readText(row, "lane") as DestinationId,
    type: readText(row, "type") as MessageType,
    messageId: readText(row, "message_id"),
    acceptedAt: readNumber(row, "accepted_at") as EpochMs,
    attemptCount: readNumber(row, "attempt_count"),
    ...(reason === undefined ? {} : { reason: reason as DeadReason }),
    ...(detail === undefined ? {} : { detail }),
    ...(dueAt === undefined ? {} : { dueAt: dueAt as EpochMs }),
    ...(replayOf === undefined ? {} : { replayOf: idOf(replayOf) }),
  };
}
