// Checks a file by core's rules, and reports where in the file each is broken. Core's paths are those of a workspace,
// which are those of the file except for secrets: a file calls them `sharedSecret`.

import type { Problem, Workspace } from "@postrider/core";
import { checkWorkspaceInSteps, type Steps } from "@postrider/core/engine";
import type { WorkspaceFile } from "./workspace-file.js";

const SECRET = /^destinations\[(\d+)\]\.secrets(\[\d+\])$/;

/** The rules that the file breaks; `workspace` was built from it. In steps of one entry. */
export function* checkFile(file: WorkspaceFile, workspace: Workspace): Steps<readonly Problem[]> {
  const problems = yield* checkWorkspaceInSteps(workspace);
  return problems.map((problem) => ({ ...problem, path: placeIn(file, problem.path) }));
}

function placeIn(file: WorkspaceFile, path: string): string {
  const match = SECRET.exec(path);
  if (match === null) return path;
  const [, destination = "", index = ""] = match;
  const isList = typeof file.destinations?.[Number(destination)]?.sharedSecret !== "string";
  return `destinations[${destination}].sharedSecret${isList ? index : ""}`;
}
