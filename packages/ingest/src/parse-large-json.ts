// Parses a large body in steps, each of them no more work than a small body (decision: event-loop turns). The caller decides
// when each step runs.

import { parseJsonInSteps } from "@postrider/codec";
import { MAX_TEXT_DEPTH, type Steps } from "@postrider/core/engine";
import { decodeText, type ReadJson } from "@postrider/http";

/** Returns the result of `parseJson`, in steps of `MAX_SMALL_BYTES` of the text at most. */
export function* parseLargeJson(bytes: Uint8Array): Steps<ReadJson> {
  const text = decodeText(bytes);
  if (text === undefined) return { kind: "refused", reason: "bad-json" };
  return yield* parseJsonInSteps(text, { levels: MAX_TEXT_DEPTH });
}
