// Packs what few commits have: replays, late attempts, counts of calls that were not stored, the progress of notices.

import type { CallCounts, Changes, DeletionId, DeliveryId, NoticeProgress, Replay, SourceId } from "@postrider/core";
import { type FlatReader, readNumber, readShared, readText } from "../flat-reader.js";
import { type FlatWriter, writeNumber, writeShared, writeText } from "../flat-writer.js";
import type { AllFields } from "./all-fields.js";
import { readAttempt, writeAttempt } from "./attempt.js";
import { readStart, writeStart } from "./start.js";

export function writeReplay(to: FlatWriter, replay: AllFields<Replay, "of" | "start">): void {
  writeText(to, replay.of);
  writeStart(to, replay.start);
}

export function readReplay(from: FlatReader): Replay {
  return { of: readText(from) as DeliveryId, start: readStart(from) };
}

type Appended = Changes["append"][number];

export function writeAppended(to: FlatWriter, appended: AllFields<Appended, "id" | "attempt">): void {
  writeText(to, appended.id);
  writeAttempt(to, appended.attempt);
}

export function readAppended(from: FlatReader): Appended {
  return { id: readText(from) as DeliveryId, attempt: readAttempt(from) };
}

export function writeTally(
  to: FlatWriter,
  counts: AllFields<CallCounts, "source" | "refused" | "suppressed" | "shed">,
): void {
  writeShared(to, counts.source);
  writeNumber(to, counts.refused);
  writeNumber(to, counts.suppressed);
  writeNumber(to, counts.shed);
}

export function readTally(from: FlatReader): CallCounts {
  return {
    source: readShared(from) as SourceId,
    refused: readNumber(from),
    suppressed: readNumber(from),
    shed: readNumber(from),
  };
}

export function writeNotified(to: FlatWriter, progress: AllFields<NoticeProgress, "deletion" | "users">): void {
  writeShared(to, progress.deletion);
  writeNumber(to, progress.users);
}

export function readNotified(from: FlatReader): NoticeProgress {
  return { deletion: readShared(from) as DeletionId, users: readNumber(from) };
}
