// Parses a large body in steps, each about as much work as a small body (decision: event-loop turns). The caller decides
// when each step runs.

import { parseJsonInSteps } from "@postrider/codec";
import { MAX_TEXT_DEPTH, type Steps } from "@postrider/core/engine";
import { decodeText, type ReadJsonResult } from "@postrider/http";

/** Returns what `parseJson` would return. The steps are those of `parseJsonInSteps`. */
export function* parseLargeJson(bytes: Uint8Array): Steps<ReadJsonResult> {
  const text = decodeText(bytes);
  if (text === undefined) return { kind: "refused", reason: "bad-json" };
  return yield* parseJsonInSteps(text, { levels: MAX_TEXT_DEPTH });
}
