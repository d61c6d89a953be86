// Answers as bytes, for receivers that write them by hand.

export function head(status: number): string {
  return `HTTP/1.1 ${String(status)} X\r\n`;
}

export function answer(status: number, body = ""): string {
  return `${head(status)}Content-Length: ${String(body.length)}\r\n\r\n${body}`;
}

export function interim(status: number): string {
  return `${head(status)}Retry-After: 99\r\nLink: </style.css>; rel=preload\r\n\r\n`;
}

/** The right answer to a later request; no odd answer has this status. */
export const NEXT = 202;
/** What must not be reported of any request. */
export const STALE: string = answer(299);
