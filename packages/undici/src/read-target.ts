// Parses the URL of an endpoint. The same few URLs are used again and again, so results are cached, up to a limit.

import { MAX_CACHED_TARGETS } from "./limits.js";

export interface HttpTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query of the request. */
  readonly path: string;
}

/** Returns the target of a URL; undefined if the text is no URL, or its scheme is not http or https. */
export type ReadTarget = (url: string) => HttpTarget | undefined;

export function createReadTarget(): ReadTarget {
  const known = new Map<string, HttpTarget>();
  return (url) => known.get(url) ?? keep(url, readTarget(url));

  function keep(url: string, target: HttpTarget | undefined): HttpTarget | undefined {
    if (target === undefined) return undefined;
    if (known.size >= MAX_CACHED_TARGETS) known.clear();
    known.set(url, target);
    return target;
  }
}

function readTarget(text: string): HttpTarget | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, search, href } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  // `search` is empty for an empty query too, whose `?` the receiver would miss.
  const isQueryEmpty = search === "" && /^[^#]*\?(?:#|$)/.test(href);
  return { origin, path: `${pathname}${isQueryEmpty ? "?" : search}` };
}
