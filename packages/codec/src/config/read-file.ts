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
  const { file, knowsSources } = salvageFile(unknownKeys.reduce(without, raw));
  return checkFile(file).filter((problem) => knowsSources || problem.code !== "unknown-source");
}

/** The value without the key at the end of `steps`. */
function without(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (t.UnknownArray.is(value)) return value.map((item, index) => (index === step ? without(item, rest) : item));
  if (!isPlainObject(value)) return value;
  const isLast = rest.length === 0;
  const kept = Object.entries(value).filter(([key]) => !isLast || key !== step);
  return Object.fromEntries(kept.map(([key, field]) => [key, key === step ? without(field, rest) : field]));
}
