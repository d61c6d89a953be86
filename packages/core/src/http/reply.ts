// What came of one POST: an answer, or the fault that took its place. What it means for a delivery is decided in round/.

/** Why no final status line came. Closed; an adapter maps all that can go wrong onto these. */
export const FAULTS = [
  /** No status line within `timeoutMs`. */
  "timeout",
  /** The name did not resolve. */
  "dns",
  "connection-refused",
  "connection-reset",
  /** The receiver closed before its status line. */
  "connection-closed",
  /** What came is not an HTTP answer, or no final status 200-599. */
  "bad-response",
  /** Any other fault of the way there: unreachable, no route. */
  "network",
  /** Any other fault of the handshake. */
  "tls",
  "certificate-expired",
  "certificate-host",
  "certificate-issuer",
  /** The leaf is signed by its own key (spec, webhook destination §4, rule 3). No request was sent. */
  "self-signed",
  /** An address that delivery may not reach. No connection was made. */
  "forbidden-address",
  /** A header that HTTP cannot carry. No request was sent. */
  "invalid-header",
  /** Our own fault: out of file descriptors, resolver down. Says nothing of the receiver. */
  "local",
] as const;
export type Fault = (typeof FAULTS)[number];

export type Reply =
  | {
      readonly kind: "answered";
      /** A final status, 200 to 599. */
      readonly status: number;
      /** From the call of `send` to the status line. */
      readonly afterMs: number;
      /** The Retry-After header as it came. */
      readonly retryAfter?: string;
      /** The first bytes of the body, at most 4,096; empty on 2xx. */
      readonly excerpt: Uint8Array;
    }
  | { readonly kind: "silent"; readonly fault: Fault; readonly afterMs: number };
