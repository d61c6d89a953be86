// Reads the JSON value of a settings file by its codec and by core's rules, and returns every problem at once: unknown keys,
// wrong shapes, broken rules.

import type { Problem, Workspace } from "@postrider/core";
import { mapInSteps, type Steps } from "@postrider/core/engine";
import type * as t from "io-ts";
import type { Decoded } from "../decoded.js";
import { buildWorkspaceInSteps } from "./build-workspace.js";
import { checkFile } from "./check-file.js";
import { explainError, stepsOf } from "./explain-errors.js";
import { placeOfKey } from "./key-places.js";
import { readShape } from "./read-shape.js";
import { salvageFile } from "./salvage-file.js";
import { withoutKeys } from "./without-keys.js";
import type { WorkspaceFile } from "./workspace-file.js";

export interface DecodedFile<File> {
  readonly file: File;
  readonly workspace: Workspace;
}

/**
 * The file and the workspace built from it, if the shape is valid and no rule is broken; otherwise all problems of the
 * file. In steps of one entry.
 * @internal
 */
export function* decodeFile<File extends WorkspaceFile>(
  codec: t.Type<File, unknown>,
  raw: unknown,
): Steps<Decoded<DecodedFile<File>>> {
  const shape = yield* readShape(codec, raw);
  if (shape.kind === "refused") {
    const problems = yield* mapInSteps(shape.errors, (error) => placeKey(explainError(error), error));
    return { kind: "refused", problems: [...problems, ...(yield* rulesBroken(raw, shape.errors))] };
  }
  const { file } = shape;
  const workspace = yield* buildWorkspaceInSteps(file);
  const problems = yield* checkFile(file, workspace);
  return problems.length === 0 ? { kind: "ok", value: { file, workspace } } : { kind: "refused", problems };
}

/** Adds where an unknown key belongs, if it is a key of another object. */
function placeKey(problem: Problem, error: t.ValidationError): Problem {
  if (problem.code !== "unknown-key" || problem.expected.includes("did you mean")) return problem;
  const steps = stepsOf(error);
  const key = String(steps.at(-1));
  const place = placeOfKey(key, String(steps[0]));
  // A workspace has not all keys of a config.
  if (place === undefined || (place === "" && steps.length === 1)) return problem;
  const where = place === "" ? "the whole config" : place;
  return { ...problem, expected: `${problem.expected}; ${key} is a key of ${where}` };
}

/** The problems of the valid parts of a file with a broken shape: the rules that they break. */
function* rulesBroken(raw: unknown, errors: t.Errors): Steps<readonly Problem[]> {
  const unknownKeys = errors.filter((error) => error.message === "unknown-key").map(stepsOf);
  const { file, knowsSources } = yield* salvageFile(yield* withoutKeys(raw, unknownKeys));
  const problems = yield* checkFile(file, yield* buildWorkspaceInSteps(file));
  return problems.filter((problem) => knowsSources || problem.code !== "unknown-source");
}
