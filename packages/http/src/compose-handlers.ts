// Several handlers behind one listener: each answers for the paths below its own, and all others are a 404. Knows no more of
// a request than its path.

import type { Answer, Handler, IncomingHead, IncomingRequest } from "./handler.js";
import { notFoundAnswer } from "./refusals.js";
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
  const handlerAt = (path: string): Handler | undefined => {
    const plain = plainPath(path);
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
