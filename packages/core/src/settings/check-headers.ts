// Decides which static headers an endpoint may have (spec, webhook destination §8; decision: headers): at most five, valid in
// HTTP, and none that frames the request or identifies the sender. A problem never shows a value.

import { pathTo } from "../call/path.js";
import { MAX_STATIC_HEADERS } from "../limits.js";
import { type Problem, problem } from "./problem.js";
import { revealValue } from "./secret.js";
import type { StaticHeader } from "./workspace.js";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** The names of headers, in lower case, that an endpoint may not set. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "user-agent",
  "accept-encoding",
  "x-signature",
]);
/** The beginnings, in lower case, of further such names. */
export const RESERVED_HEADER_PREFIXES: readonly string[] = ["proxy-", "webhook-"];

/** The problems of an endpoint's static headers; `path` is the path of the headers in the settings. */
export function checkHeaders(headers: readonly StaticHeader[], path: string): readonly Problem[] {
  const firstIndexes = new Map(headers.map(([name], index) => [name.toLowerCase(), index] as const).toReversed());
  const perHeader = headers.flatMap(([name, value], index) => {
    const headerPath = pathTo(path, name);
    const isRepeated = firstIndexes.get(name.toLowerCase()) !== index;
    const duplicate = isRepeated
      ? [problem("duplicate-header", headerPath, "each header once, whatever its case")]
      : [];
    return [...checkName(name, headerPath), ...checkValue(revealValue(value), headerPath), ...duplicate];
  });
  if (headers.length <= MAX_STATIC_HEADERS) return perHeader;
  return [problem("too-many-headers", path, `at most ${String(MAX_STATIC_HEADERS)} headers`), ...perHeader];
}

function checkName(name: string, path: string): readonly Problem[] {
  if (!NAME.test(name)) return [problem("bad-header-name", path, "a header name: letters, digits and hyphens")];
  const lower = name.toLowerCase();
  const isReserved = RESERVED_HEADERS.has(lower) || RESERVED_HEADER_PREFIXES.some((prefix) => lower.startsWith(prefix));
  return isReserved ? [problem("reserved-header", path, "a header that delivery does not set itself")] : [];
}

function checkValue(value: string, path: string): readonly Problem[] {
  return VALUE.test(value) ? [] : [problem("bad-header-value", path, "Latin-1 text without control characters")];
}
