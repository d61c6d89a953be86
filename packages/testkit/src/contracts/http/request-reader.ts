// Reads the requests that arrive on a connection of a raw receiver, so that each is counted, also one that is not answered.
// Knows HTTP/1.1 with Content-Length only: of a request with another framing, only the head is noticed.

/** Is fed the bytes of one connection, and tells of each request in them. */
export interface RequestReader {
  add(bytes: Uint8Array): void;
}

/** What a reader tells. */
export interface RequestEvents {
  /** The first line of a request has come. */
  readonly onBegin: () => void;
  /** The headers of a request have come. */
  readonly onHead: () => void;
  /** The last byte of a request has come. */
  readonly onEnd: () => void;
}

const REQUEST_LINE = /^(?:\r\n)*[A-Z]+ \S+ HTTP\/1\.[01]\r\n/;
/** What is longer, and no first line, is no HTTP. */
const MAX_LINE_LENGTH = 65_536;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** A reader for one connection. */
export function createRequestReader({ onBegin, onHead, onEnd }: RequestEvents): RequestReader {
  let text = "";
  let isBegun = false;
  let leftInBody = 0;

  return {
    add(bytes) {
      text += Buffer.from(bytes).toString("latin1");
      while (readOn());
    },
  };

  /** Whether there may be more to read. */
  function readOn(): boolean {
    if (leftInBody > 0) return skipBody();
    if (!isBegun && REQUEST_LINE.test(text)) {
      isBegun = true;
      onBegin();
    }
    if (!isBegun && text.length > MAX_LINE_LENGTH) text = "";
    const end = text.indexOf("\r\n\r\n");
    if (!isBegun || end < 0) return false;
    leftInBody = Number(LENGTH.exec(text.slice(0, end))?.[1] ?? 0);
    text = text.slice(end + 4);
    onHead();
    if (leftInBody === 0) finish();
    return true;
  }

  function skipBody(): boolean {
    const skipped = Math.min(leftInBody, text.length);
    text = text.slice(skipped);
    leftInBody -= skipped;
    if (leftInBody > 0) return false;
    finish();
    return true;
  }

  function finish(): void {
    isBegun = false;
    onEnd();
  }
}
