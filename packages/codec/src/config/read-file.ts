// Reads a raw file by its codec and by core's rules, and answers every problem at once: keys that nobody knows, wrong
// shapes, broken rules.

import { isPlainObject, type Problem } from "@postrider/core";
import { isRight } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import type { Decoded } from "../decoded.js";
import { checkFile } from "./check-file.js";
import { explainErrors, type Step, stepsOf } from "./explain-errors.js";
import { salvageFile } from "./salvage-file.js";
import type { WorkspaceFile } from "./workspace-file.js";

/** The file as it stands, sound in shape and rules, or all of its problems. @internal */
export function readFile<File extends WorkspaceFile>(codec: t.Type<File, unknown>, raw: unknown): Decoded<File> {
  const read = codec.decode(raw);
  const problems = isRight(read)
    ? checkFile(read.right)
    : [...explainErrors(read.left), ...rulesBroken(raw, read.left)];
  if (isRight(read) && problems.length === 0) return { kind: "decoded", value: read.right };
  return { kind: "refused", problems };
}

/** The rules that the sound parts of a broken file break. */
function rulesBroken(raw: unknown, errors: t.Errors): readonly Problem[] {
  const unknownKeys = errors.filter((error) => error.message === "unknown-key").map(stepsOf);
  const { file, knowsSources } = salvageFile(without(raw, unknownKeys));
  return checkFile(file).filter((problem) => knowsSources || problem.code !== "unknown-source");
}

/** The value without the keys at the ends of these ways, in one walk: there may be as many as the file has bytes. */
function without(value: unknown, ways: readonly (readonly Step[])[]): unknown {
  if (ways.length === 0) return value;
  const below = groupByStep(ways);
  const prune = (inner: unknown, step: Step): unknown => without(inner, below.get(step) ?? []);
  if (t.UnknownArray.is(value)) return value.map(prune);
  if (!isPlainObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => below.get(key)?.some((way) => way.length === 0) !== true);
  return Object.fromEntries(kept.map(([key, field]) => [key, prune(field, key)]));
}

/** The rest of each way, by its first step. */
function groupByStep(ways: readonly (readonly Step[])[]): ReadonlyMap<Step, readonly (readonly Step[])[]> {
  const groups = new Map<Step, (readonly Step[])[]>();
  for (const [step = "", ...rest] of ways) {
    const group = groups.get(step);
    if (group === undefined) groups.set(step, [rest]);
    else group.push(rest);
  }
  return groups;
}
