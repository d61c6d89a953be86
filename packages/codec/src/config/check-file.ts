// Holds a file to core's rules and says where in the file each is broken. Core speaks of a workspace, whose paths are
// those of the file but for secrets, which a file calls `sharedSecret`.

import { checkWorkspace, type Problem } from "@postrider/core";
import { buildWorkspace } from "./build-workspace.js";
import type { WorkspaceFile } from "./workspace-file.js";

const SECRET = /^destinations\[(\d+)\]\.secrets(\[\d+\])$/;

/** The rules that a file breaks. */
export function checkFile(file: WorkspaceFile): readonly Problem[] {
  return checkWorkspace(buildWorkspace(file)).map((problem) => ({ ...problem, path: placeIn(file, problem.path) }));
}

function placeIn(file: WorkspaceFile, path: string): string {
  const match = SECRET.exec(path);
  if (match === null) return path;
  const [, destination = "", index = ""] = match;
  const isList = typeof file.destinations?.[Number(destination)]?.sharedSecret !== "string";
  return `destinations[${destination}].sharedSecret${isList ? index : ""}`;
}
