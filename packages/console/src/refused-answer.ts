// The refusals of the console, by code. Those of the API come from the API.

import { errorDocs } from "@postrider/core/engine";
import { errorAnswer, type TextAnswer } from "@postrider/http";

/** Why the console refuses a request. */
export type ConsoleCode = "not-logged-in" | "wrong-login" | "unsafe-login" | "forbidden" | "foreign-site";

export function refusedAnswer(status: number, code: ConsoleCode, message: string): TextAnswer {
  return errorAnswer(status, { code, message, docs: errorDocs(`http-${code}`) });
}

/** 403: the request does not come from the page. */
export function foreignAnswer(): TextAnswer {
  const message =
    "only the page of the console may ask this, and change something only with Content-Type: application/json";
  return refusedAnswer(403, "foreign-site", message);
}
