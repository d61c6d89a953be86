// Checks a file by core's rules, and reports where in the file each rule is broken. Core reports paths in the
// workspace. The paths in the file are equal, except that a file calls secrets `sharedSecret`.

import type { Problem, Workspace } from "@postrider/core";
import { checkWorkspaceInSteps, type Steps } from "@postrider/core/engine";
import type { WorkspaceFile } from "./workspace-file.js";

const SECRET = /^(destinations|notify)\[(\d+)\]\.secrets(\[\d+\])$/;

/** A problem for each rule that the file breaks; `workspace` was built from it. In steps of one entry. */
export function* checkFile(file: WorkspaceFile, workspace: Workspace): Steps<readonly Problem[]> {
  const problems = yield* checkWorkspaceInSteps(workspace);
  return problems.map((problem) => ({ ...problem, path: placeIn(file, problem.path) }));
}

function placeIn(file: WorkspaceFile, path: string): string {
  const match = SECRET.exec(path);
  if (match === null) return path;
  const [, list = "", entry = "", index = ""] = match;
  const entries = list === "notify" ? file.notify : file.destinations;
  const isList = typeof entries?.[Number(entry)]?.sharedSecret !== "string";
  return `${list}[${entry}].sharedSecret${isList ? index : ""}`;
}
