// Decides whether a text may be an endpoint, and gives it its identity: the normalised URL (decision: settings).
// Says nothing of where the URL leads; that is looked at when a connection is made.

import type { EndpointId } from "../ids.js";
import { MAX_URL_LENGTH } from "../limits.js";
import type { ProblemCode } from "./problem.js";

export type EndpointUrl =
  | { readonly kind: "endpoint"; readonly id: EndpointId }
  | { readonly kind: "bad"; readonly code: ProblemCode; readonly expected: string };

// The URL parser drops tabs and newlines and trims spaces; what an operator typed and what is called must be one.
// eslint-disable-next-line no-control-regex
const SPACES_AND_CONTROLS = /[\u0000-\u0020\u007f]/;

/** Reads the URL of an endpoint. */
export function readEndpointUrl(text: string): EndpointUrl {
  if (text.length > MAX_URL_LENGTH) return bad("url-too-long", `at most ${String(MAX_URL_LENGTH)} characters`);
  const url = SPACES_AND_CONTROLS.test(text) ? undefined : parseUrl(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return bad("bad-url", "a full http or https URL");
  if (url.username !== "" || url.password !== "") {
    return bad("url-credentials", "a URL without user and password; send them as an Authorization header");
  }
  if (text.includes("#")) return bad("url-fragment", "a URL without a fragment");
  return { kind: "endpoint", id: url.href as EndpointId };
}

/** Not by `URL.canParse`: once it is optimised, Node 20 and 22 refuse letters beyond ASCII there. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function bad(code: ProblemCode, expected: string): EndpointUrl {
  return { kind: "bad", code, expected };
}
