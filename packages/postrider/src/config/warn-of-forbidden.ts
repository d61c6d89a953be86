// Logs warnings about endpoints with an address that may not be called. The settings come into force
// nevertheless, since the operator may allow the address later (decision: private addresses).

import type { Logger } from "@postrider/relay";
import { MAX_PROBLEMS_SHOWN } from "./limits.js";
import type { ForbiddenEndpoint } from "./forbidden-endpoints.js";

const CODE = "forbidden-address";

/** Logs a warning for each endpoint, up to `MAX_PROBLEMS_SHOWN`, and one with the number of the others. */
export function warnOfForbiddenEndpoints(endpoints: readonly ForbiddenEndpoint[], logger: Logger): void {
  const detail = "this address may not be called; network.allow can allow its range";
  for (const { destination, endpoint } of endpoints.slice(0, MAX_PROBLEMS_SHOWN)) {
    logger.log("warning", { code: CODE, destination, endpoint, detail });
  }
  const more = endpoints.length - MAX_PROBLEMS_SHOWN;
  if (more > 0) logger.log("warning", { code: CODE, detail: "more endpoints are not shown", count: more });
}
