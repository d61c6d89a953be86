// Puts several handlers behind one listener: each serves its path and all paths below it; any other path is answered 404.
// Repeated slashes and a slash at the end are merged only for ingest, since some libraries join a host and a path
// carelessly: a path that a proxy may protect has to be matched exactly (decision: encodings and empty lists).

import type { Answer, Handler, IncomingHead, IncomingRequest } from "./handler.js";
import { notFoundAnswer } from "./answers.js";

/** A handler and its path. A mount at `/v1` serves `/v1` and all paths below it, but not `/v10`. */
interface Mount {
  readonly at: string;
  readonly handler: Handler;
  /** True if `//v1//batch/` is served like `/v1/batch`, for libraries that join paths carelessly. False if absent. */
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

/** `/v1/batch` for `//v1/batch` and for `/v1//batch/`. */
export function normalizePath(path: string): string {
  // Most paths are normal already.
  if (!path.includes("//") && !path.endsWith("/")) return path;
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

/** `/v1/track` for `/segment/v1/track` under `/segment`; empty, which no handler serves, if the path is elsewhere. */
export function cutBasePath(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : "";
}
