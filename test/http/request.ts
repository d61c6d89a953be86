// Builds a request as a listener would hand it over.

import type { Answer, IncomingRequest } from "@postrider/http";

interface Sent {
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** A request; `body` is written as JSON, `bytes` go as they are. */
export function request(
  method: string,
  path: string,
  { body, bytes, headers = {}, query = "" }: Sent = {},
): IncomingRequest {
  const json = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
  return {
    method,
    path,
    query,
    headers: new Map(Object.entries(headers)),
    body: { kind: "read", bytes: bytes ?? json },
  };
}

/** The body of an answer that is one text. */
export function textOf({ body }: Pick<Answer, "body">): string {
  if (typeof body !== "string") throw new Error("the body of the answer is no text");
  return body;
}
