// The CORS headers that let libraries call from any page: every origin, without credentials, since calls are authenticated
// by their key and never by cookies.

import type { Answer } from "@postrider/http";
import { PREFLIGHT_AGE_S } from "./limits.js";

const SHARED: Answer["headers"] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "Retry-After"],
];

/** The same answer, readable by any page. */
export function withCors(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...SHARED] };
}

/**
 * The answer to a preflight request. The star allows every header but Authorization, so Authorization is listed, too.
 */
export function preflightAnswer(method: "GET" | "POST"): Answer {
  return {
    status: 204,
    headers: [
      ["Access-Control-Allow-Methods", method],
      ["Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, *"],
      ["Access-Control-Max-Age", String(PREFLIGHT_AGE_S)],
    ],
    body: "",
  };
}
