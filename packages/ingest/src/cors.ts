// The CORS headers that let libraries call from any page. A beacon always asks with credentials, which `*` does not allow, so the
// origin is named. That opens nothing: no path of ingest reads a cookie, and callers are known by their key (decision: details of calls).

import type { Answer, IncomingRequest } from "@postrider/http";
import { PREFLIGHT_AGE_S } from "./limits.js";

type Headers = IncomingRequest["headers"];

const EXPOSED: Answer["headers"][number] = ["Access-Control-Expose-Headers", "Retry-After"];
const ANY: Answer["headers"] = [["Access-Control-Allow-Origin", "*"], EXPOSED];

/** A scheme, a host and a port, or `null`, as browsers write them. Whatever else a caller writes is not repeated. */
const ORIGIN = /^(?:null|[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+)$/i;
/** Names of headers. */
const NAMES = /^[\w-]+(?:\s*,\s*[\w-]+)*$/;

/** The same answer, readable by any page. */
export function withCors(answer: Answer, headers: Headers): Answer {
  const origin = originIn(headers);
  const added = origin === undefined ? ANY : readableBy(origin);
  return { ...answer, headers: [...answer.headers, ...added] };
}

/** The answer to a preflight request. With credentials `*` stands for no header, so those that are asked for are named, too. */
export function preflightAnswer(method: "GET" | "POST", headers: Headers): Answer {
  const asked = headers.get("access-control-request-headers") ?? "";
  const names = NAMES.test(asked) ? asked : "*";
  return {
    status: 204,
    headers: [
      ["Access-Control-Allow-Methods", method],
      ["Access-Control-Allow-Headers", `Authorization, Content-Type, Content-Encoding, ${names}`],
      ["Access-Control-Max-Age", String(PREFLIGHT_AGE_S)],
    ],
    body: "",
  };
}

function originIn(headers: Headers): string | undefined {
  const origin = headers.get("origin");
  return origin !== undefined && ORIGIN.test(origin) ? origin : undefined;
}

function readableBy(origin: string): Answer["headers"] {
  return [
    ["Access-Control-Allow-Origin", origin],
    ["Access-Control-Allow-Credentials", "true"],
    EXPOSED,
    ["Vary", "Origin"],
  ];
}
