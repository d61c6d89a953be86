// Writes a POST as the bytes that go out in one write: head and body together. Refuses what HTTP cannot carry, and headers
// that frame the request, which only this package sets (decision: headers). Must not know connections.

import type { Header, HttpRequest } from "@postrider/core";
import { MAX_KEPT_HEADER_LINES, MAX_KNOWN_HEADER_NAMES } from "./limits.js";
import type { HttpTarget } from "./read-target.js";

/** The bytes of a request; undefined if one of its headers cannot be sent. */
export type WritePost = (request: HttpRequest, target: HttpTarget) => Uint8Array | undefined;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const NO_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/;
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
  const known = new Map<string, boolean>();
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
    const last = lines[place];
    if (last?.value === value && last.name === name) return last.text;
    if (!isName(name) || NO_VALUE.test(value)) return undefined;
    const text = `${name}: ${value}\r\n`;
    if (place < MAX_KEPT_HEADER_LINES) lines[place] = { name, value, text };
    return text;
  }

  function isName(name: string): boolean {
    const answer = known.get(name);
    if (answer !== undefined) return answer;
    if (known.size >= MAX_KNOWN_HEADER_NAMES) known.clear();
    const isRight = NAME.test(name) && !FRAMING.has(name.toLowerCase());
    known.set(name, isRight);
    return isRight;
  }
}
