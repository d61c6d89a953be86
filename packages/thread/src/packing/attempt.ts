// Packs an attempt.

import type { AttemptRecord, AttemptResult, EndpointId, EpochMs, Fault, Verdict } from "@postrider/core";
import { damaged, type FlatReader, takeNumber, takeSharedText } from "../flat-reader.js";
import { type FlatWriter, writeNumber, writeShared } from "../flat-writer.js";
import type { AllFields } from "./all-fields.js";

export function writeAttempt(
  to: FlatWriter,
  attempt: AllFields<AttemptRecord, "round" | "endpoint" | "startedAt" | "durationMs" | "result" | "verdict">,
): void {
  writeNumber(to, attempt.round);
  writeShared(to, attempt.endpoint);
  writeNumber(to, attempt.startedAt);
  writeNumber(to, attempt.durationMs);
  writeResult(to, attempt.result);
  writeShared(to, attempt.verdict);
}

export function readAttempt(from: FlatReader): AttemptRecord {
  return {
    round: takeNumber(from),
    endpoint: takeSharedText(from) as EndpointId,
    startedAt: takeNumber(from) as EpochMs,
    durationMs: takeNumber(from),
    result: readResult(from),
    verdict: takeSharedText(from) as Verdict,
  };
}

const ANSWERED = 0;
const SILENT = 1;

function writeResult(to: FlatWriter, result: AllFields<AttemptResult, "kind" | "status" | "fault">): void {
  switch (result.kind) {
    case "answered":
      writeNumber(to, ANSWERED);
      writeNumber(to, result.status);
      return;
    case "silent":
      writeNumber(to, SILENT);
      writeShared(to, result.fault);
  }
}

function readResult(from: FlatReader): AttemptResult {
  const kind = takeNumber(from);
  if (kind === ANSWERED) return { kind: "answered", status: takeNumber(from) };
  if (kind === SILENT) return { kind: "silent", fault: takeSharedText(from) as Fault };
  throw damaged();
}
