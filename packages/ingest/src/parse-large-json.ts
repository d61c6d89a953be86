// Parses a large body in steps, so that no turn of the loop has more of it than a small body comes to (decision: turns of
// the loop). When each step is made is decided by its caller.

import { parseJsonInSteps } from "@postrider/codec";
import { MAX_TEXT_DEPTH, type Steps } from "@postrider/core";
import { decodeText, type ReadJson } from "@postrider/http";

/** Answers what `parseJson` would, in steps that each have as much of the text as a small body may have. */
export function* parseLargeJson(bytes: Uint8Array): Steps<ReadJson> {
  const text = decodeText(bytes);
  if (text === undefined) return { kind: "bad-json" };
  return yield* parseJsonInSteps(text, { levels: MAX_TEXT_DEPTH });
}
