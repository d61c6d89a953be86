// Reads a document of settings that servers share: what may stand in it, and what it makes of the references of this server
// (decision: settings in the store). Does not know where the document comes from.

import { decodeWorkspaceInSteps, findUnsharedTextsInSteps } from "@postrider/codec";
import type { JsonObject, Workspace } from "@postrider/core";
import { isPlainObject, type Steps } from "@postrider/core/engine";
import { isDeepStrictEqual } from "node:util";
import { checkWriteKeys } from "./check-keys.js";
import type { ConfigProblem } from "./config-problem.js";
import { readExpandedInSteps, type References, type ReadValue } from "./read-expanded.js";

/** The keys of a config file that a document has. All others are of one machine. */
const SHARED_KEYS = ["sources", "destinations", "delivery", "retention", "notify"] as const;

/** The workspace of a document, or all problems. In steps of one entry. */
export function* readDocumentInSteps(document: unknown, references: References): Steps<ReadValue<Workspace>> {
  const unshared = yield* findUnsharedTextsInSteps(document);
  const known = new Set(unshared.map(({ path }) => path));
  const read = yield* readExpandedInSteps(document, references, decode);
  const others = read.kind === "refused" ? read.problems.filter(({ path }) => !known.has(path)) : [];
  const problems = [...unshared, ...others];
  return problems.length > 0 ? { kind: "refused", problems } : read;
}

function* decode(expanded: unknown): Steps<ReadValue<Workspace>> {
  const decoded = yield* decodeWorkspaceInSteps(expanded);
  if (decoded.kind === "refused") return decoded;
  const problems = yield* checkWriteKeys(decoded.value.sources);
  return problems.length > 0 ? { kind: "refused", problems } : decoded;
}

/** What a config file has of the keys of a document. */
export function sharedKeysIn(file: unknown): JsonObject {
  if (!isPlainObject(file)) return {};
  return Object.fromEntries(SHARED_KEYS.filter((key) => Object.hasOwn(file, key)).map((key) => [key, file[key]]));
}

/** A problem for each of these keys that the document has otherwise, or has not. `where` names the document in words. */
export function differencesFrom(document: JsonObject, written: JsonObject, where: string): readonly ConfigProblem[] {
  return Object.entries(written)
    .filter(([key, value]) => !isDeepStrictEqual(value, document[key]))
    .map(([key]) => ({
      code: "not-allowed",
      path: key,
      expected: `none here, or the same as in ${where}, which differs: remove it from this file, or put it into the store`,
    }));
}
