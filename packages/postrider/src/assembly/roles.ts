// What one of several servers on a store does: it takes calls, it delivers, or both.

import { errorAnswer, type Handler } from "@postrider/http";

/** What a server does. At least one is true. */
export interface Roles {
  /** It takes calls. */
  readonly accepts: boolean;
  /** It delivers what any server on the store has accepted. */
  readonly delivers: boolean;
}

export const ALL_ROLES: Roles = { accepts: true, delivers: true };

const RETRY_AFTER_S = 1;

/** In place of ingest on a server that only delivers: 503, so that a caller sends the calls again, to another server. */
export const refuseCalls: Handler = () => {
  const error = { code: "not-accepting", message: "this server only delivers: send calls to another one" };
  return Promise.resolve(errorAnswer(503, error, [["Retry-After", String(RETRY_AFTER_S)]]));
};
