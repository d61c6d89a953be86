// Packs what few commits have: replays, late attempts, counts of calls that were not stored, the progress of notices.

import type { CallCounts, Changes, DeletionId, DeliveryId, NoticeProgress, Replay, SourceId } from "@postrider/core";
import { type FlatReader, takeNumber, takeSharedText, takeText } from "../flat-reader.js";
import { type FlatWriter, writeNumber, writeShared, writeText } from "../flat-writer.js";
import type { AllFields } from "./all-fields.js";
import { readAttempt, writeAttempt } from "./attempt.js";
import { readStart, writeStart } from "./start.js";

export function writeReplay(to: FlatWriter, replay: AllFields<Replay, "of" | "start">): void {
  writeText(to, replay.of);
  writeStart(to, replay.start);
}

export function readReplay(from: FlatReader): Replay {
  return { of: takeText(from) as DeliveryId, start: readStart(from) };
}

type Appended = Changes["append"][number];

export function packAppended(to: FlatWriter, appended: AllFields<Appended, "id" | "attempt">): void {
  writeText(to, appended.id);
  writeAttempt(to, appended.attempt);
}

export function readAppended(from: FlatReader): Appended {
  return { id: takeText(from) as DeliveryId, attempt: readAttempt(from) };
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
    source: takeSharedText(from) as SourceId,
    refused: takeNumber(from),
    suppressed: takeNumber(from),
    shed: takeNumber(from),
  };
}

export function writeNotified(to: FlatWriter, progress: AllFields<NoticeProgress, "deletion" | "users">): void {
  writeShared(to, progress.deletion);
  writeNumber(to, progress.users);
}

export function readNotified(from: FlatReader): NoticeProgress {
  return { deletion: takeSharedText(from) as DeletionId, users: takeNumber(from) };
}
