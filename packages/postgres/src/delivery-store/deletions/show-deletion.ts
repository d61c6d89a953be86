// Shows a row of a request about users, without its users.

import { type DeletionRecord, deletionId, epochMs, type NoticeCounts, sourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import {
  readBytesArray,
  readFlag,
  readDigits,
  readOptionalNumber,
  readPlain,
  readAnyText,
  type TextRow,
} from "../../wire/read-row.js";
import { decodeStoredText } from "../../wire/text.js";
import { readRegulation } from "../codes.js";

/** The record of a request. */
export function showDeletion(row: TextRow): DeletionRecord {
  const finishedAt = readOptionalNumber(row, "finished_at");
  return {
    id: deletionId(readAnyText(row, "name")),
    number: readDigits(row, "number"),
    regulation: readRegulation(readDigits(row, "regulation")),
    sources: readFlag(row, "is_of_all")
      ? null
      : readBytesArray(row, "sources").map((name) => sourceId(decodeStoredText(name))),
    requestedAt: epochMs(readDigits(row, "requested_at")),
    ...defined({ finishedAt: finishedAt === undefined ? undefined : epochMs(finishedAt) }),
    users: readDigits(row, "users"),
    userIds: [],
    notified: readDigits(row, "notified"),
    isPurged: readFlag(row, "is_purged"),
    purged: readDigits(row, "purged"),
    notices: readPlain(row, "notices")
      .split(",")
      .filter((notice) => notice !== "")
      .map(readNotice),
  };
}

/** `hex of the source:stored:delivered:dead`. */
function readNotice(text: string): NoticeCounts {
  const [source = "", ...counts] = text.split(":");
  const [stored = 0, delivered = 0, dead = 0] = counts.map(Number);
  return { source: sourceId(decodeStoredText(Buffer.from(source, "hex"))), stored, delivered, dead };
}
