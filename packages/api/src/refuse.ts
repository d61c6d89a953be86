// Why the API refuses, in its own closed list of codes. No answer shows a secret, a write key or a value that came in,
// but for the start of an upload's unknown header, which only its sender is told.

import { type Answer, errorAnswer } from "@postrider/http";
import type { Problem } from "@postrider/core";
import type { RelayFault, ReplayFault } from "@postrider/relay";

/** A query or a body that says something else than it may. */
export type BadRequest = "bad-query" | "bad-replay" | "bad-deletion" | "bad-audience" | "bad-members";

/** Every code of an API error. */
export type ApiCode =
  | BadRequest
  | "api-off"
  | "unauthorized"
  | "rate-limited"
  | "not-found"
  | "method-not-allowed"
  | "bad-json"
  | "too-deep"
  | "too-large"
  | "store-unavailable"
  | "not-supported"
  | "not-finished"
  | "purged"
  | "destination-removed"
  | "key-taken"
  | "sync-running"
  | "would-remove";

/** What a caller is told to wait while the store does not answer. Seconds. */
const RETRY_AFTER_S = 5;

/** An error of the API. */
export function refuse(status: number, code: ApiCode, message: string): Answer {
  return errorAnswer(status, { code, message });
}

/** 400 for a query or a body that says something else than it may. The first problem is told. */
export function problemAnswer(code: BadRequest, [problem]: readonly Pick<Problem, "path" | "expected">[]): Answer {
  const { path, expected } = problem ?? { path: "", expected: "something else" };
  const message = path === "" ? `expected ${expected}` : `${path}: expected ${expected}`;
  return errorAnswer(400, { code, message, path });
}

/** 404: no such delivery. */
export function noDeliveryAnswer(): Answer {
  return refuse(404, "not-found", "there is no such delivery, or no longer");
}

/** What a relay that cannot do as asked amounts to. */
export function faultAnswer({ code }: RelayFault | ReplayFault): Answer {
  switch (code) {
    case "not-found":
      return noDeliveryAnswer();
    case "not-finished":
      return refuse(409, code, "only what is delivered or dead can be replayed");
    case "purged":
      return refuse(409, code, "its body is gone");
    case "destination-removed":
      return refuse(409, code, "its destination is not in the settings");
    case "unavailable":
    case "corrupt":
    case "stopped":
      return unavailableAnswer();
  }
}

/** 503: nothing is wrong with the request. */
export function unavailableAnswer(): Answer {
  const error = { code: "store-unavailable" satisfies ApiCode, message: "the store does not answer now, try again" };
  return errorAnswer(503, error, [["Retry-After", String(RETRY_AFTER_S)]]);
}

/** 501: the server has a store that cannot do it. */
export function notSupportedAnswer(what: "users" | "audiences"): Answer {
  return refuse(501, "not-supported", `the store of this server knows nothing of ${what}`);
}
