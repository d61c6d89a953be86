// Reads a value with references: expands them, then decodes the rest. A reference that cannot be resolved does not hide other problems.

import { expandReferencesInSteps, type ReferenceReader } from "@postrider/relay/settings";
import type { Secret } from "@postrider/core";
import type { Steps } from "@postrider/core/engine";
import { resolve } from "node:path";
import type { ConfigProblem } from "./config-problem.js";
import { MAX_REFERENCE_BYTES, MIN_GUARDED_PART } from "./limits.js";
import { readTextFile } from "./read-text-file.js";

/** A value that can be used, or all of its problems. */
export type ReadValue<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

/** The folder and the environment by which references are resolved. */
export interface References {
  /** Paths of files are relative to it. */
  readonly folder: string;
  readonly env: (name: string) => string | undefined;
  /** Texts to which no reference may lead, such as the tokens of the server. None if absent. */
  readonly guarded?: () => readonly Secret[];
}

/** Reports all problems at once. In steps of one entry. */
export function* readExpandedInSteps<Value>(
  raw: unknown,
  { folder, env, guarded }: References,
  decode: (expanded: unknown) => Steps<ReadValue<Value>>,
): Steps<ReadValue<Value>> {
  const guard = createGuard(guarded?.() ?? []);
  const reader: ReferenceReader = {
    env: (name) => guard(env(name)),
    file: (path) => guard(textOf(resolve(folder, path))),
  };
  const expanded = yield* expandReferencesInSteps(raw, reader);
  if (expanded.kind === "ok") return yield* decode(expanded.value);
  const unresolvedPaths = new Set(expanded.problems.map((problem) => problem.path));
  // A reference that cannot be resolved is replaced by its own name, so that the rest can be checked.
  const substituted = yield* expandReferencesInSteps(raw, {
    env: (name) => reader.env(name) ?? name,
    file: (path) => reader.file(path) ?? path,
  });
  const outcome = substituted.kind === "ok" ? yield* decode(substituted.value) : substituted;
  const otherProblems =
    outcome.kind === "refused" ? outcome.problems.filter((problem) => !unresolvedPaths.has(problem.path)) : [];
  return { kind: "refused", problems: [...expanded.problems, ...otherProblems] };
}

/** Returns a function that hides a guarded text, and a text with a long guarded one in it, as if it could not be read. */
function createGuard(guarded: readonly Secret[]): (text: string | undefined) => string | undefined {
  const texts = guarded.map((text) => text.reveal().trim());
  const isGuarded = (text: string): boolean =>
    texts.some((secret) => text.trim() === secret || (secret.length >= MIN_GUARDED_PART && text.includes(secret)));
  return (text) => (text === undefined || isGuarded(text) ? undefined : text);
}

function textOf(path: string): string | undefined {
  const outcome = readTextFile(path, MAX_REFERENCE_BYTES);
  return outcome.kind === "ok" ? outcome.text : undefined;
}
