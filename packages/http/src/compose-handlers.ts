// Puts several handlers behind one listener: each serves its path and all paths below it; any other path is answered 404.
// Knows only the path of a request.

import type { Answer, Handler, IncomingHead, IncomingRequest } from "./handler.js";
import { notFoundAnswer } from "./refusals.js";
import { normalizePath } from "./plain-path.js";

/** A handler and its path. A mount at `/v1` serves `/v1` and all paths below it, but not `/v10`. */
export interface Mount {
  readonly at: string;
  readonly handler: Handler;
  /** Whether `//v1//batch/` is served like `/v1/batch`, for libraries that join paths carelessly. False if absent. */
  readonly mergesSlashes?: boolean;
}

/** The first mount that serves the path answers; 404 if none does. */
export function composeHandlers(mounts: readonly Mount[]): Handler {
  const handlerAt = (path: string): Handler | undefined => {
    const plain = normalizePath(path);
    return mounts.find(({ at, mergesSlashes }) => isBelow(at, mergesSlashes === true ? plain : path))?.handler;
  };
  const handle = async (request: IncomingRequest): Promise<Answer> =>
    (await handlerAt(request.path)?.(request)) ?? notFoundAnswer();
  return Object.assign(handle, {
    knows: (head: IncomingHead): boolean => {
      const handler = handlerAt(head.path);
      return handler !== undefined && (handler.knows?.(head) ?? true);
    },
  });
}

function isBelow(at: string, path: string): boolean {
  return path === at || path.startsWith(`${at}/`);
}
