// What lets a browser's library call from any page: every origin, no credentials. The key in the call is all that counts,
// so that no cookie is wanted.

import type { Answer } from "@postrider/http";
import { PREFLIGHT_AGE_S } from "./limits.js";

const SHARED: Answer["headers"] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "Retry-After"],
];

/** The same answer, readable for any page. */
export function withCors(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, ...SHARED] };
}

/** The answer to a browser that asks before it calls. A star stands for every header but Authorization. */
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
