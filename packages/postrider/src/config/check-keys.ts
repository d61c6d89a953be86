// Finds sources with the same write key where one has the key in plain text and the other has its digest. Core finds
// equal texts, but computes no digests (decision: secrets at rest).

import type { Source } from "@postrider/core";
import { mapInSteps, readWriteKey, type Steps } from "@postrider/core/engine";
import type { ConfigProblem } from "./config-problem.js";
import { digestOfKey } from "./digest-of-key.js";

/** A problem for each digest that equals the digest of another source's key. In steps of one source. */
export function* checkWriteKeys(sources: readonly Source[]): Steps<readonly ConfigProblem[]> {
  const keys = sources.map(({ writeKey }) => readWriteKey(writeKey));
  const plain = new Set(yield* mapInSteps(keys, (key) => (key.kind === "plain" ? digestOfKey(key.key) : undefined)));
  return keys.flatMap((key, index) => (key.kind === "digest" && plain.has(key.hex) ? [sameKey(index)] : []));
}

function sameKey(index: number): ConfigProblem {
  const path = `sources[${String(index)}].writeKey`;
  return { code: "duplicate-write-key", path, expected: "a write key that no other source has" };
}
