// Decides whether a text is a valid endpoint URL, derives the identity of the endpoint, the normalised URL (decision: settings), and hides
// the values of its query in logs and answers, since such values are often keys. The address behind the URL is checked when a connection is
// made.

import { type EndpointId, endpointId } from "../ids.js";
import { MAX_URL_LENGTH } from "../limits.js";
import type { ProblemCode } from "./problem.js";

/** A URL in its normal form, or why it cannot be the URL of an endpoint. */
export type EndpointUrlResult =
  | { readonly kind: "ok"; readonly id: EndpointId }
  | { readonly kind: "refused"; readonly code: ProblemCode; readonly expected: string };

// The URL parser removes tabs, newlines and outer spaces, but the URL that is called must be the one that the operator wrote.
// eslint-disable-next-line no-control-regex
const SPACES_AND_CONTROLS = /[\u0000-\u0020\u007f]/;

/** Reads the URL of an endpoint: http or https, at most 2,048 characters, no credentials, no fragment. */
export function readEndpointUrl(text: string): EndpointUrlResult {
  if (text.length > MAX_URL_LENGTH) return bad("url-too-long", `at most ${String(MAX_URL_LENGTH)} characters`);
  const url = SPACES_AND_CONTROLS.test(text) ? undefined : parseUrl(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    return bad("bad-url", "a full http or https URL without spaces, such as https://example.com/hook");
  if (url.username !== "" || url.password !== "") {
    return bad("url-credentials", "a URL without user and password; send them as an Authorization header");
  }
  if (text.includes("#")) return bad("url-fragment", "a URL without a fragment");
  return { kind: "ok", id: endpointId(url.href.replace(/\?.*/, (query) => keepQuotes(query, text))) };
}

/**
 * The query of a URL with each `'` as it is in the text that the URL was parsed from. Parsers write `%27`, which a receiver that signs or
 * compares the query takes for another one.
 */
export function keepQuotes(query: string, text: string): string {
  const quotes = text.slice(text.indexOf("?")).match(/'|%27/g);
  return query.replace(/'|%27/g, (parsed) => quotes?.shift() ?? parsed);
}

/** The parsed URL. Not by `URL.canParse`, which rejects non-ASCII letters in Node 20 and 22 once the engine optimises it. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function bad(code: ProblemCode, expected: string): EndpointUrlResult {
  return { kind: "refused", code, expected };
}

/** The URL to show, such as `https://example.com/hook?token=***`. A part of the query without `=` is hidden as a whole. */
export function maskEndpoint(endpoint: EndpointId): string {
  const at = endpoint.indexOf("?");
  if (at === -1) return endpoint;
  const fields = endpoint.slice(at + 1).split("&");
  return `${endpoint.slice(0, at)}?${fields.map(maskField).join("&")}`;
}

function maskField(field: string): string {
  const at = field.indexOf("=");
  return at === -1 ? "***" : `${field.slice(0, at)}=***`;
}
