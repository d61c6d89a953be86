// Holds a file to core's rules and says where in the file each is broken. Core speaks of a workspace, whose paths are
// those of the file but for secrets, which a file calls `sharedSecret`.

import type { Problem, Workspace } from "@postrider/core";
import { checkWorkspaceInSteps, type Steps } from "@postrider/core/engine";
import type { WorkspaceFile } from "./workspace-file.js";

const SECRET = /^destinations\[(\d+)\]\.secrets(\[\d+\])$/;

/** The rules that a file breaks; `workspace` is what was built of it. In steps of one entry. */
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
