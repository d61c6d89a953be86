// Reads where the URL of an endpoint leads. The same few come over and over, so what was read is kept, up to a bound.

import { MAX_KNOWN_TARGETS } from "./limits.js";

export interface HttpTarget {
  /** Scheme, host and port: what a connection is made to. */
  readonly origin: string;
  /** Path and query: what is asked for there. */
  readonly path: string;
}

/** Undefined for a text that is no URL, or one of another scheme than http and https. */
export type ReadTarget = (url: string) => HttpTarget | undefined;

export function createReadTarget(): ReadTarget {
  const known = new Map<string, HttpTarget>();
  return (url) => known.get(url) ?? keep(url, readTarget(url));

  function keep(url: string, target: HttpTarget | undefined): HttpTarget | undefined {
    if (target === undefined) return undefined;
    if (known.size >= MAX_KNOWN_TARGETS) known.clear();
    known.set(url, target);
    return target;
  }
}

function readTarget(text: string): HttpTarget | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, search } = new URL(text);
  return protocol === "http:" || protocol === "https:" ? { origin, path: `${pathname}${search}` } : undefined;
}
