// Says why a batch or a call was not taken, in the words of the server if it sends any.

import { isObject } from "../call/host-value.js";
import type { JsonObject } from "../call/call.js";
import { MAX_OBJECTION_LENGTH } from "../limits.js";

/**
 * The reason for the lack of an answer: none came in time, the request has failed, the transport has answered with something other than
 * a Response, or there is neither a transport nor a `fetch`.
 */
export type BatchFault = "timeout" | "network" | "bad-transport" | "no-fetch";

/** The reason for which a server rejects a call or a batch: a stable code, and a text of at most 300 characters for people. */
export interface Objection {
  readonly code: string;
  readonly message: string;
}

/** The objection for an answer of 2xx by a program that has not taken the batch. */
export const NOT_TAKEN: Objection = {
  code: "not-taken",
  message: "The answer is not that of the server.",
};

/** The objections where there is no answer. */
export const SILENCE: { readonly [Fault in BatchFault]: Objection } = {
  timeout: { code: "timeout", message: "The server did not answer in time." },
  network: { code: "network", message: "The server could not be reached." },
  "bad-transport": {
    code: "bad-transport",
    message: "The transport has answered no Response.",
  },
  "no-fetch": { code: "no-fetch", message: "This runtime has no fetch: give the client a transport." },
};

/** The objection in an answer with this status, whose body is `json`. */
export function readObjection(status: number, json: JsonObject | undefined): Objection {
  const error = json?.["error"];
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  const message = `The server answered ${isRedirect ? "a redirect: set its target as the endpoint" : String(status)}.`;
  return objectionFrom(isObject(error) ? error : {}, String(status), message);
}

/** The code and the text of an error; `code` and `message` in place of those that it lacks. */
export function objectionFrom(error: JsonObject, code: string, message: string): Objection {
  return { code: textOr(error["code"], code), message: textOr(error["message"], message) };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_OBJECTION_LENGTH) : otherwise;
}
