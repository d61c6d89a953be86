// A durable client has no number of retries, so that an option of that name is a mistake.

import { createOptionsError } from "@postrider/core/batch";

/** Throws a TypeError if options have a number of retries. */
export function refuseRetries(options: object): void {
  if (!("maxRetries" in options) || options.maxRetries === undefined) return;
  const expected = "nothing: a call in a storage is tried until the server has answered for it";
  throw createOptionsError("createDurableClient", [{ path: "maxRetries", expected }]);
}
