// Reads the JSON value of a settings file by its codec, its long lists entry by entry, and by core's rules. Returns
// every problem at once, each with its path in the file: unknown keys, wrong shapes, broken rules.

import type { Problem, Workspace } from "@postrider/core";
import { mapInSteps, type Steps, isPlainObject, checkWorkspaceInSteps } from "@postrider/core/engine";
import * as t from "io-ts";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import type { Decoded } from "../decoded.js";
import { buildWorkspaceInSteps } from "./build-workspace.js";
import { explainError, stepsOf } from "./explain-errors.js";
import { placeOfKey } from "./config-settings.js";
import { salvageFile, withoutKeys } from "./salvage-file.js";
import type { WorkspaceFile } from "./config-file.js";
import { ownField } from "../lenient.js";
import { destinationSetting, sourceSetting } from "./workspace-settings.js";

const SECRET = /^(destinations|notify)\[(\d+)\]\.secrets(\[\d+\])$/;

interface DecodedFile<File> {
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
    return { kind: "refused", problems: [...problems, ...(yield* brokenRules(raw, shape.errors))] };
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
function* brokenRules(raw: unknown, errors: t.Errors): Steps<readonly Problem[]> {
  const unknownKeys = errors.filter((error) => error.message === "unknown-key").map(stepsOf);
  const { file, knowsSources } = yield* salvageFile(yield* withoutKeys(raw, unknownKeys));
  const problems = yield* checkFile(file, yield* buildWorkspaceInSteps(file));
  return problems.filter((problem) => knowsSources || problem.code !== "unknown-source");
}

/** @internal */
type ShapeResult<File> =
  { readonly kind: "ok"; readonly file: File } | { readonly kind: "refused"; readonly errors: t.Errors };

/** The file if its shape is valid, or every error in it. @internal */
function* readShape<File extends WorkspaceFile>(codec: t.Type<File, unknown>, raw: unknown): Steps<ShapeResult<File>> {
  const sources = yield* readList(raw, "sources", sourceSetting.codec);
  const destinations = yield* readList(raw, "destinations", destinationSetting.codec);
  const lists = [sources, destinations].filter((list) => list !== undefined);
  const emptyLists = Object.fromEntries(lists.map(({ key }) => [key, []]));
  const decoded = codec.decode(isPlainObject(raw) ? { ...raw, ...emptyLists } : raw);
  const errors = [...lists.flatMap((list) => list.errors), ...(isLeft(decoded) ? decoded.left : [])];
  if (isLeft(decoded) || errors.length > 0) return { kind: "refused", errors };
  const entries = {
    ...(sources === undefined ? {} : { sources: sources.entries }),
    ...(destinations === undefined ? {} : { destinations: destinations.entries }),
  };
  return { kind: "ok", file: { ...decoded.right, ...entries } };
}

interface ListResult<Entry> {
  readonly key: string;
  /** The entries of valid shape. */
  readonly entries: readonly Entry[];
  readonly errors: t.Errors;
}

/** Undefined if there is no list of that name. */
function* readList<Entry>(
  raw: unknown,
  key: string,
  entry: t.Type<Entry, unknown>,
): Steps<ListResult<Entry> | undefined> {
  const list = isPlainObject(raw) ? ownField(raw, key) : undefined;
  if (!t.UnknownArray.is(list)) return undefined;
  const context = [
    { key: "", type: t.unknown, actual: raw },
    { key, type: t.UnknownArray, actual: list },
  ];
  const reads = yield* mapInSteps(list, (item, index) =>
    entry.validate(item, t.appendContext(context, String(index), entry, item)),
  );
  return {
    key,
    entries: reads.flatMap((read) => (isRight(read) ? [read.right] : [])),
    errors: reads.flatMap((read) => (isLeft(read) ? read.left : [])),
  };
}

/** A problem for each rule that the file breaks; `workspace` was built from it. In steps of one entry. */
function* checkFile(file: WorkspaceFile, workspace: Workspace): Steps<readonly Problem[]> {
  const problems = yield* checkWorkspaceInSteps(workspace);
  return problems.map((problem) => ({ ...problem, path: pathInFile(file, problem.path) }));
}

/** In the file, the secrets of an entry are its `sharedSecret`, which is one text or a list. */
function pathInFile(file: WorkspaceFile, path: string): string {
  const match = SECRET.exec(path);
  if (match === null) return path;
  const [, list = "", entry = "", index = ""] = match;
  const entries = list === "notify" ? file.notify : file.destinations;
  const isList = typeof entries?.[Number(entry)]?.sharedSecret !== "string";
  return `${list}[${entry}].sharedSecret${isList ? index : ""}`;
}
