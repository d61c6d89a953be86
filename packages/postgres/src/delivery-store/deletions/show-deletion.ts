// Shows a row of a request about users, without its users.

import { type DeletionRecord, deletionId, epochMs, type NoticeCounts, sourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import {
  readBytesArray,
  readFlag,
  readNumber,
  readOptionalNumber,
  readPlain,
  readText,
  type Row,
} from "../../wire/read-row.js";
import { decodeText } from "../../wire/text.js";
import { readRegulation } from "../codes.js";

/** The record of a request. */
export function showDeletion(row: Row): DeletionRecord {
  const finishedAt = readOptionalNumber(row, "finished_at");
  return {
    id: deletionId(readText(row, "name")),
    number: readNumber(row, "number"),
    regulation: readRegulation(readNumber(row, "regulation")),
    sources: readFlag(row, "is_of_all")
      ? null
      : readBytesArray(row, "sources").map((name) => sourceId(decodeText(name))),
    requestedAt: epochMs(readNumber(row, "requested_at")),
    ...defined({ finishedAt: finishedAt === undefined ? undefined : epochMs(finishedAt) }),
    users: readNumber(row, "users"),
    userIds: [],
    notified: readNumber(row, "notified"),
    isPurged: readFlag(row, "is_purged"),
    purged: readNumber(row, "purged"),
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
  return { source: sourceId(decodeText(Buffer.from(source, "hex"))), stored, delivered, dead };
}
