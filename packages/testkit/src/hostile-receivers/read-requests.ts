// Finds complete requests in the bytes of a connection, for receivers that do not answer with HTTP. Parses only as much
// of HTTP as is needed to find the end of a request.

import { Buffer } from "node:buffer";

/** A request as it came: the bytes of its head as Latin-1 text, request line first, and its body. */
export interface ReceivedRequest {
  readonly head: string;
  readonly body: Uint8Array;
}

export interface RequestReader {
  add(chunk: Uint8Array): void;
  /** The next complete request, if it has arrived. */
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
