// Finds sources with the same write key if one of them has the key in plain text and another has its digest, by which keys are compared.
// Core finds equal texts, but computes no digests (decision: secrets at rest).

import type { Source } from "@postrider/core";
import { mapInSteps, readWriteKey, type Steps } from "@postrider/core/engine";
import { createHash } from "node:crypto";
import type { ConfigProblem } from "./config-problem.js";

/** A problem for each digest that equals the digest of another source's key. In steps of one source. */
export function* checkWriteKeys(sources: readonly Source[]): Steps<readonly ConfigProblem[]> {
  const keys = sources.map(({ writeKey }) => readWriteKey(writeKey));
  const plainDigests = new Set(
    yield* mapInSteps(keys, (key) => (key.kind === "plain" ? digestOfKey(key.key) : undefined)),
  );
  return keys.flatMap((key, index) => (key.kind === "digest" && plainDigests.has(key.hex) ? [sameKey(index)] : []));
}

function sameKey(index: number): ConfigProblem {
  const path = `sources[${String(index)}].writeKey`;
  return { code: "duplicate-write-key", path, expected: "a write key that no other source has" };
}

/** The SHA-256 of a text, as 64 lower-case hexadecimal digits. */
export function digestOfKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
