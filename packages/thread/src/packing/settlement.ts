// Packs a settlement: the outcome of a claim, with its attempts and the states of its endpoints.

import type { DeliveryId, EpochMs, LeaseToken, Outcome, Settlement } from "@postrider/core";
import { damaged, type FlatReader, readList, takeNumber, takeSharedText, takeText } from "../flat-reader.js";
import { type FlatWriter, writeList, writeNumber, writeShared, writeText } from "../flat-writer.js";
import type { AllFields } from "./all-fields.js";
import { readAttempt, writeAttempt } from "./attempt.js";
import { readEndpoint, writeEndpoint } from "./endpoint.js";

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

const DELIVERED = 0;
const DEAD = 1;
const DEAD_WITH_DETAIL = 2;
const RESCHEDULED = 3;
const RELEASED = 4;

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
  throw damaged();
}
