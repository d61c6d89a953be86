// Packs the parts of a commit other than its new messages: settlements with their attempts, and parts that few commits have, such as
// replays, late attempts, counts of calls that were not stored, and the progress of notices.

import type {
  DeliveryId,
  EpochMs,
  LeaseToken,
  Outcome,
  Settlement,
  AttemptRecord,
  AttemptResult,
  EndpointId,
  Fault,
  Verdict,
  CallCounts,
  Changes,
  DeletionId,
  NoticeProgress,
  Replay,
  SourceId,
  InitialState,
  Lease,
} from "@postrider/core";
import {
  damagedError,
  type FlatReader,
  readList,
  takeNumber,
  takeSharedText,
  takeText,
  type FlatWriter,
  writeList,
  writeNumber,
  writeShared,
  writeText,
  type AllFields,
} from "../flat.js";
import { writeEndpoint, readEndpoint } from "./claim.js";

const DELIVERED = 0;

const DEAD = 1;

const DEAD_WITH_DETAIL = 2;

const RESCHEDULED = 3;

const RELEASED = 4;

export function writeSettlement(
  to: FlatWriter,
  settlement: AllFields<Settlement, "id" | "token" | "outcome" | "attempts" | "endpoints">,
): void {
  writeText(to, settlement.id);
  writeShared(to, settlement.token);
  writeOutcome(to, settlement.outcome);
  writeList(to, settlement.attempts, writeAttempt);
  writeList(to, settlement.endpoints, writeEndpoint);
}

export function readSettlement(from: FlatReader): Settlement {
  return {
    id: takeText(from) as DeliveryId,
    token: takeSharedText(from) as LeaseToken,
    outcome: readOutcome(from),
    attempts: readList(from, readAttempt),
    endpoints: readList(from, readEndpoint),
  };
}

function writeOutcome(to: FlatWriter, outcome: AllFields<Outcome, "kind" | "detail" | "reason" | "dueAt">): void {
  switch (outcome.kind) {
    case "delivered":
      writeNumber(to, DELIVERED);
      writeShared(to, outcome.detail);
      return;
    case "dead":
      writeNumber(to, outcome.detail === undefined ? DEAD : DEAD_WITH_DETAIL);
      writeShared(to, outcome.reason);
      if (outcome.detail !== undefined) writeShared(to, outcome.detail);
      return;
    case "rescheduled":
      writeNumber(to, RESCHEDULED);
      writeNumber(to, outcome.dueAt);
      writeShared(to, outcome.detail);
      return;
    case "released":
      writeNumber(to, RELEASED);
      writeNumber(to, outcome.dueAt);
  }
}

type DeadReason = Extract<Outcome, { readonly kind: "dead" }>["reason"];

function readOutcome(from: FlatReader): Outcome {
  const kind = takeNumber(from);
  if (kind === DELIVERED) return { kind: "delivered", detail: takeSharedText(from) };
  if (kind === DEAD) return { kind: "dead", reason: takeSharedText(from) as DeadReason };
  if (kind === DEAD_WITH_DETAIL) {
    return { kind: "dead", reason: takeSharedText(from) as DeadReason, detail: takeSharedText(from) };
  }
  if (kind === RESCHEDULED) {
    return { kind: "rescheduled", dueAt: takeNumber(from) as EpochMs, detail: takeSharedText(from) };
  }
  if (kind === RELEASED) return { kind: "released", dueAt: takeNumber(from) as EpochMs };
  throw damagedError();
}

function writeAttempt(
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

function readAttempt(from: FlatReader): AttemptRecord {
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
  throw damagedError();
}

const NOT_ONCE = 0;

const ONCE = 1;

export function writeReplay(to: FlatWriter, replay: AllFields<Replay, "of" | "start" | "once">): void {
  writeText(to, replay.of);
  writeStart(to, replay.start);
  writeNumber(to, replay.once === true ? ONCE : NOT_ONCE);
}

export function readReplay(from: FlatReader): Replay {
  const of = takeText(from) as DeliveryId;
  const start = readStart(from);
  return takeNumber(from) === ONCE ? { of, start, once: true } : { of, start };
}

const STARTS_CLAIMED = 0;

const STARTS_WAITING = 1;

const STARTS_DEAD = 2;

export function writeStart(to: FlatWriter, start: AllFields<InitialState, "kind" | "dueAt" | "reason">): void {
  switch (start.kind) {
    case "claimed":
      writeNumber(to, STARTS_CLAIMED);
      return;
    case "waiting":
      writeNumber(to, STARTS_WAITING);
      writeNumber(to, start.dueAt);
      return;
    case "dead":
      writeNumber(to, STARTS_DEAD);
      writeShared(to, start.reason);
  }
}

export function readStart(from: FlatReader): InitialState {
  const kind = takeNumber(from);
  if (kind === STARTS_CLAIMED) return { kind: "claimed" };
  if (kind === STARTS_WAITING) return { kind: "waiting", dueAt: takeNumber(from) as EpochMs };
  if (kind === STARTS_DEAD) return { kind: "dead", reason: takeSharedText(from) as "lane-full" };
  throw damagedError();
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

export function writeLease(to: FlatWriter, lease: AllFields<Lease, "token" | "leaseMs">): void {
  writeShared(to, lease.token);
  writeNumber(to, lease.leaseMs);
}

export function readLease(from: FlatReader): Lease {
  return { token: takeSharedText(from) as LeaseToken, leaseMs: takeNumber(from) };
}
