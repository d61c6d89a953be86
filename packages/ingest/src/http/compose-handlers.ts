// Several handlers behind one listener: each answers for its own part of the paths, nobody for the rest.

import type { Handler } from "./handler.js";
import { notFoundAnswer } from "./json-answer.js";
import { plainPath } from "./plain-path.js";

/** A handler and where it stands: `/v1` answers for `/v1` and all below it, not for `/v10`. */
export interface Mount {
  readonly at: string;
  readonly handler: Handler;
  /** Whether `//v1//batch/` leads here like `/v1/batch`: for callers who cannot be mended. Not if absent. */
  readonly mergesSlashes?: boolean;
}

/** The first mount that holds the path answers; 404 where none does. */
export function composeHandlers(mounts: readonly Mount[]): Handler {
  return async (request) => {
    const plain = plainPath(request.path);
    const mount = mounts.find(({ at, mergesSlashes }) => isBelow(at, mergesSlashes === true ? plain : request.path));
    return mount === undefined ? notFoundAnswer() : mount.handler(request);
  };
}

function isBelow(at: string, path: string): boolean {
  return path === at || path.startsWith(`${at}/`);
}
