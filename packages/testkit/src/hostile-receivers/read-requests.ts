// Finds whole requests in the bytes of a connection, for receivers that answer them with anything but HTTP. Reads no more
// of HTTP than it takes to know where a request ends.

import { Buffer } from "node:buffer";

/** A request as it came: the bytes of its head as Latin-1 text, request line first, and its body. */
export interface ReceivedRequest {
  readonly head: string;
  readonly body: Uint8Array;
}

export interface RequestReader {
  add(chunk: Uint8Array): void;
  /** The next whole request, if it is in. */
  take(): ReceivedRequest | undefined;
}

const END_OF_HEAD = "\r\n\r\n";
const LENGTH = /^content-length:[ \t]*(\d+)[ \t]*$/im;

/** A reader for one connection. */
export function createRequestReader(): RequestReader {
  let bytes = Buffer.alloc(0);
  return {
    add(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
    },
    take() {
      const headEnd = bytes.indexOf(END_OF_HEAD);
      if (headEnd === -1) return undefined;
      const head = bytes.toString("latin1", 0, headEnd);
      const bodyStart = headEnd + END_OF_HEAD.length;
      const bodyEnd = bodyStart + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (bytes.length < bodyEnd) return undefined;
      const body = Uint8Array.from(bytes.subarray(bodyStart, bodyEnd));
      bytes = bytes.subarray(bodyEnd);
      return { head, body };
    },
  };
}
