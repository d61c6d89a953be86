// Parses the URL of an endpoint. The same few URLs are used again and again, so results are cached, up to a limit.

import { keepQuotes } from "@postrider/core/engine";
import { MAX_CACHED_TARGETS } from "./limits.js";
import type { ConnectTarget } from "./open-socket.js";

export interface HttpTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connect: ConnectTarget;
  /** The first lines of each request: its path and query, and the headers that do not depend on it. */
  readonly start: string;
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
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  // The parts of a URL are printable ASCII without blanks: its parser escapes all else.
  const start = `POST ${pathOf(url, text)} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: keep-alive\r\n`;
  return { origin: url.origin, connect: connectTargetOf(url), start };
}

/** Where the connections for a URL lead. */
export function connectTargetOf({ protocol, hostname, port }: URL): ConnectTarget {
  return { protocol, hostname: hostname.replace(/^\[(.*)\]$/, "$1"), port };
}

function pathOf({ pathname, search, href }: URL, text: string): string {
  // `search` is empty for an empty query too, whose `?` the receiver would miss.
  const isQueryEmpty = search === "" && /^[^#]*\?(?:#|$)/.test(href);
  return `${pathname}${isQueryEmpty ? "?" : keepQuotes(search, text)}`;
}
