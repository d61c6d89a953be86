// Several handlers behind one listener: each answers for its own part of the paths, nobody for the rest.

import type { Handler } from "./handler.js";
import { notFoundAnswer } from "./json-answer.js";

/** A handler and where it stands: `/v1` answers for `/v1` and all below it, not for `/v10`. */
export interface Mount {
  readonly at: string;
  readonly handler: Handler;
}

/** The first mount that holds the path answers; 404 where none does. */
export function composeHandlers(mounts: readonly Mount[]): Handler {
  return async (request) => {
    const mount = mounts.find(({ at }) => request.path === at || request.path.startsWith(`${at}/`));
    return mount === undefined ? notFoundAnswer() : mount.handler(request);
  };
}
