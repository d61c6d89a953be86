// The result of one POST: an answer, or the fault that prevented an answer. round/ decides the meaning of a reply for a delivery.

/** The reasons for the lack of a final status line. A closed set: an adapter maps every failure to one of these. */
export const FAULTS = [
  /** No status line within `timeoutMs`. */
  "timeout",
  /** The host name did not resolve. */
  "dns",
  "connection-refused",
  "connection-reset",
  /** The receiver closed the connection before its status line. */
  "connection-closed",
  /** The answer is not HTTP, or has no final status 200-599. */
  "bad-response",
  /** Any other network failure, such as an unreachable host. */
  "network",
  /** Any failure of the TLS handshake that has no name below. */
  "tls",
  "certificate-expired",
  "certificate-host",
  "certificate-issuer",
  /** The receiver's certificate is self-signed (spec, webhook destination §4, rule 3). No request was sent. */
  "self-signed",
  /** The address of the receiver is not allowed for deliveries. No connection was made. */
  "forbidden-address",
  /** A header that HTTP cannot carry. No request was sent. */
  "invalid-header",
  /** A fault of this machine, such as no free file descriptors or no DNS resolver. It says nothing about the receiver. */
  "local",
] as const;
/** The reason for the lack of a final status line. `FAULTS` explains each. */
export type Fault = (typeof FAULTS)[number];

/** The result of one POST: an answer with a final status, or the fault that prevented one. */
export type Reply =
  | {
      readonly kind: "answered";
      /** A final status, 200 to 599. */
      readonly status: number;
      /** From the call of `send` to the status line, in milliseconds. */
      readonly afterMs: number;
      /** The Retry-After header, unparsed. */
      readonly retryAfter?: string;
      /** The first bytes of the body, at most 4,096; empty on 2xx. */
      readonly excerpt: Uint8Array;
    }
  | { readonly kind: "silent"; readonly fault: Fault; readonly afterMs: number };
