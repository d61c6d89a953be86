// POST /api/replay: delivers the dead of one destination again, up to a limit; asking again goes on where it ended.

import type { Decoded } from "@postrider/codec";
import { DEAD_REASONS, type DestinationId, isPlainObject, type Problem } from "@postrider/core";
import { type Answer, jsonAnswer, overloadedAnswer, readJson, type RequestBody } from "@postrider/ingest";
import type { Relay, ReplayRequest } from "@postrider/relay";
import { choiceField, countField, type Fields, instantField, readFields, textField } from "./read-fields.js";
import { faultAnswer, problemAnswer, refuse } from "./refuse.js";

const MAX_REPLAY = 10_000;

const FIELDS: Fields<Required<ReplayRequest>> = {
  destination: textField((id) => id as DestinationId),
  reason: choiceField(DEAD_REASONS),
  since: instantField(),
  until: instantField(),
  limit: countField(MAX_REPLAY),
};

/** Answers `{ replayed, more }`. */
export async function replayMany(relay: Pick<Relay, "replayMany">, body: RequestBody): Promise<Answer> {
  const json = await readJson(body);
  if (json.kind === "too-large") return refuse(413, "too-large", "the body is too long");
  if (json.kind === "no-room") return overloadedAnswer();
  if (json.kind === "bad-json") return refuse(400, "bad-json", "expected JSON in UTF-8");
  const request = readRequest(json.value);
  if (request.kind === "refused") return problemAnswer("bad-replay", request.problems);
  return relay
    .replayMany(request.value)
    .match(({ replayed, more }) => jsonAnswer(202, { replayed, more }), faultAnswer);
}

function readRequest(value: unknown): Decoded<ReplayRequest> {
  if (!isPlainObject(value)) return refused({ code: "wrong-type", path: "", expected: "an object" });
  const read = readFields(value, FIELDS);
  if (read.kind === "refused") return read;
  const { destination, ...rest } = read.value;
  if (destination === undefined) {
    return refused({ code: "missing", path: "destination", expected: FIELDS.destination.expected });
  }
  return { kind: "decoded", value: { destination, ...rest } };
}

function refused(problem: Problem): Decoded<ReplayRequest> {
  return { kind: "refused", problems: [problem] };
}
