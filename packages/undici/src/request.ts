// Writes a POST as the bytes that go out in one write: head and body together. Parses the URL of each endpoint once. Refuses texts that
// HTTP cannot carry, and headers that frame the request, which only this package sets (decision: headers).

import { keepQuotes } from "@postrider/core/engine";
import type { Header, HttpRequest } from "@postrider/core";
import { MAX_CACHED_TARGETS, MAX_KEPT_HEADER_LINES, MAX_KNOWN_HEADER_NAMES } from "./limits.js";
import type { ConnectTarget } from "./open-socket.js";

export interface HttpTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connect: ConnectTarget;
  /** The first lines of each request: its path and query, and the headers that do not depend on it. */
  readonly start: string;
}

/** Returns the target of a URL; undefined if the text is no URL, or its scheme is not http or https. */
type ReadTarget = (url: string) => HttpTarget | undefined;

export function createReadTarget(): ReadTarget {
  const targets = new Map<string, HttpTarget>();
  return (url) => targets.get(url) ?? keep(url, readTarget(url));

  function keep(url: string, target: HttpTarget | undefined): HttpTarget | undefined {
    if (target === undefined) return undefined;
    if (targets.size >= MAX_CACHED_TARGETS) targets.clear();
    targets.set(url, target);
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

/** Returns the target of the connections for a URL. */
export function connectTargetOf({ protocol, hostname, port }: URL): ConnectTarget {
  return { protocol, hostname: hostname.replace(/^\[(.*)\]$/, "$1"), port };
}

function pathOf({ pathname, search, href }: URL, text: string): string {
  // `search` is empty for an empty query too, whose `?` the receiver would miss.
  const isQueryEmpty = search === "" && /^[^#]*\?(?:#|$)/.test(href);
  return `${pathname}${isQueryEmpty ? "?" : keepQuotes(search, text)}`;
}

/** The bytes of a request; undefined if one of its headers cannot be sent. */
type WritePost = (request: HttpRequest, target: HttpTarget) => Uint8Array | undefined;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const BAD_IN_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** The headers of framing and of the connection, in lower case. */
const FRAMING: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
]);

/** A header that was checked, as it is written. */
interface HeaderLine {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

export function createWritePost(): WritePost {
  const validNames = new Map<string, boolean>();
  /** The last line in each place: most requests differ from the one before in their signature alone. */
  const lines: HeaderLine[] = [];
  return ({ headers, body }, { start }) => {
    let head = start;
    for (let place = 0; place < headers.length; place += 1) {
      const text = lineOf(headers[place] as Header, place);
      if (text === undefined) return undefined;
      head += text;
    }
    head += `Content-Length: ${String(body.length)}\r\n\r\n`;
    // Each character of the head is one byte of Latin-1.
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.write(head, "latin1");
    bytes.set(body, head.length);
    return bytes;
  };

  /** The line of a header; undefined if it cannot be sent. */
  function lineOf([name, value]: Header, place: number): string | undefined {
    const lastLine = lines[place];
    if (lastLine?.value === value && lastLine.name === name) return lastLine.text;
    if (!isName(name) || BAD_IN_VALUE.test(value)) return undefined;
    const text = `${name}: ${value}\r\n`;
    if (place < MAX_KEPT_HEADER_LINES) lines[place] = { name, value, text };
    return text;
  }

  function isName(name: string): boolean {
    const knownResult = validNames.get(name);
    if (knownResult !== undefined) return knownResult;
    if (validNames.size >= MAX_KNOWN_HEADER_NAMES) validNames.clear();
    const isValid = NAME.test(name) && !FRAMING.has(name.toLowerCase());
    validNames.set(name, isValid);
    return isValid;
  }
}
