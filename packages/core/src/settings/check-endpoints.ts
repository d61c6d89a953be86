// Decides whether the endpoints of a destination or of a hook, and their secrets, are valid (spec, webhook destination §8; decision:
// settings).

import { pathTo } from "../call/path.js";
import type { EndpointId } from "../ids.js";
import { MAX_ENDPOINTS_PER_DESTINATION } from "../limits.js";
import { checkHeaders } from "./check-headers.js";
import { type EndpointUrlResult, readEndpointUrl } from "./endpoint-url.js";
import { type Problem, problem } from "./problem.js";
import type { Secret } from "./secret.js";
import type { Endpoint } from "./workspace.js";

/** An endpoint whose URL has been parsed. Parsing is the most expensive check, so it is done once. */
interface ParsedEndpoint extends Pick<Endpoint, "headers"> {
  readonly url: EndpointUrlResult;
}

/** The problems of the endpoints of a destination. */
export function checkEndpointList(endpoints: readonly Endpoint[], path: string): readonly Problem[] {
  return [...checkEndpointCount(endpoints.length, path), ...checkEndpointUrls(endpoints, path)];
}

/** The problems of endpoints, whatever their number. */
export function checkEndpointUrls(endpoints: readonly Endpoint[], path: string): readonly Problem[] {
  const parsed = endpoints.map(({ url, headers }) => ({ url: readEndpointUrl(url), headers }));
  const perEndpoint = parsed.flatMap((endpoint, index) => checkEndpoint(endpoint, pathTo(path, index)));
  const duplicates = repeats(parsed, identityOf).map(({ index, firstIndex }) => {
    const expected = `each URL once, also when written differently; ${pathTo(path, firstIndex)} has the same`;
    return problem("duplicate-endpoint", `${pathTo(path, index)}.url`, expected);
  });
  return [...perEndpoint, ...duplicates];
}

function checkEndpointCount(count: number, path: string): readonly Problem[] {
  if (count === 0) return [problem("no-endpoints", path, "at least 1 endpoint")];
  return count > MAX_ENDPOINTS_PER_DESTINATION
    ? [problem("too-many-endpoints", path, `at most ${String(MAX_ENDPOINTS_PER_DESTINATION)} endpoints`)]
    : [];
}

/** A problem for each secret that is blank. */
export function checkSecrets(secrets: readonly Secret[], path: string): readonly Problem[] {
  return secrets.flatMap((secret, index) =>
    secret.reveal().trim() === ""
      ? [problem("empty-secret", pathTo(path, index), "a secret that is not blank, or none")]
      : [],
  );
}

function checkEndpoint({ url, headers }: ParsedEndpoint, path: string): readonly Problem[] {
  const badUrl = url.kind === "refused" ? [problem(url.code, `${path}.url`, url.expected)] : [];
  return [...badUrl, ...checkHeaders(headers, `${path}.headers`)];
}

function identityOf({ url }: ParsedEndpoint): EndpointId | undefined {
  return url.kind === "ok" ? url.id : undefined;
}

/** The index of an item with the key of an earlier item, and that of the first item with the key. */
export interface Repeat {
  readonly index: number;
  readonly firstIndex: number;
}

/** The items that have the same key as an earlier item. Items without a key are ignored. */
export function repeats<Item>(items: readonly Item[], keyOf: (item: Item) => string | undefined): readonly Repeat[] {
  const firstIndexes = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (key === undefined) return [];
    const firstIndex = firstIndexes.get(key);
    if (firstIndex !== undefined) return [{ index, firstIndex }];
    firstIndexes.set(key, index);
    return [];
  });
}
