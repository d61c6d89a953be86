// The refusals of the API, with a closed list of codes. No answer contains a secret, a write key or a value of the request,
// except the start of an unknown CSV header of an upload.

import { type Answer, errorAnswer, UNAVAILABLE_RETRY_AFTER_S } from "../index.js";
import type { Problem } from "@postrider/core";
import { errorDocs } from "@postrider/core/engine";
import type { RelayFault, ReplayFault } from "@postrider/relay";

/** Codes for a query or a body with wrong fields. */
export type BadRequestCode =
  "bad-query" | "bad-replay" | "bad-deletion" | "bad-audience" | "bad-members" | "bad-test" | "bad-settings";

/** Every code of an API error. */
export const API_CODES = [
  "bad-query",
  "bad-replay",
  "bad-deletion",
  "bad-audience",
  "bad-members",
  "bad-test",
  "bad-config",
  "bad-settings",
  "api-off",
  "unauthorized",
  "rate-limited",
  "not-found",
  "method-not-allowed",
  "bad-json",
  "too-deep",
  "too-large",
  "store-unavailable",
  "not-supported",
  "not-finished",
  "purged",
  "destination-removed",
  "destination-in-force",
  "not-probed",
  "too-many-jobs",
  "key-taken",
  "sync-running",
  "would-remove",
  "settings-in-file",
  "stale-revision",
  "revision-required",
  "overloaded",
  "unsupported-encoding",
  "internal",
] as const;
/** A code of a refusal of the API. `docs/http-api.md` says when each is answered. */
export type ApiCode = (typeof API_CODES)[number];

/** The answer with an error of the API. */
export function refuse(status: number, code: ApiCode, message: string): Answer {
  return errorAnswer(status, { code, message, docs: docsOf(code) });
}

/** The address of the row about a code. */
export function docsOf(code: ApiCode): string {
  return errorDocs(`http-${code}`);
}

/** 400 for a query or a body with wrong fields. The answer shows the first problem. */
export function problemAnswer(code: BadRequestCode, [problem]: readonly Pick<Problem, "path" | "expected">[]): Answer {
  const { path, expected } = problem ?? { path: "", expected: "something else" };
  const message = path === "" ? `expected ${expected}` : `${path}: expected ${expected}`;
  return errorAnswer(400, { code, message, path, docs: docsOf(code) });
}

/** 404: no such delivery. */
export function noDeliveryAnswer(): Answer {
  return refuse(404, "not-found", "there is no such delivery, or it was removed");
}

/** The answer to a fault of the relay. */
export function faultAnswer({ code }: RelayFault | ReplayFault): Answer {
  switch (code) {
    case "not-found":
      return noDeliveryAnswer();
    case "not-finished":
      return refuse(409, code, "only what is delivered or dead can be replayed");
    case "purged":
      return refuse(409, code, "its message was purged");
    case "destination-removed":
      return refuse(409, code, "its destination is not in the settings");
    case "unavailable":
    case "corrupt":
    case "stopped":
      return unavailableAnswer();
  }
}

/** 503: the request has no error, and may be sent again. */
export function unavailableAnswer(): Answer {
  const code = "store-unavailable" satisfies ApiCode;
  const message = "the store does not answer now, try again";
  return errorAnswer(503, { code, message, docs: docsOf(code) }, [["Retry-After", String(UNAVAILABLE_RETRY_AFTER_S)]]);
}

/** 501: the store of this server does not support users, audiences, pauses or replay jobs. */
export function notSupportedAnswer(what: "users" | "audiences" | "pauses" | "replay jobs"): Answer {
  return refuse(501, "not-supported", `the store of this server does not support ${what}`);
}
