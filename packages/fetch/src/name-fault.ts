// Names the fault behind the rejection of a fetch. The error of fetch only says that it failed; runtimes attach the
// cause to the error. The fault is `network` if neither the error nor its causes are known.

import type { Fault } from "@postrider/core";

const BY_CODE: ReadonlyMap<string, Fault> = new Map(
  Object.entries<Fault>({
    // Node, and codes that other runtimes share with it.
    ENOTFOUND: "dns",
    EAI_AGAIN: "local",
    EAI_FAIL: "local",
    ECONNREFUSED: "connection-refused",
    ECONNRESET: "connection-reset",
    EPIPE: "connection-reset",
    ETIMEDOUT: "timeout",
    UND_ERR_CONNECT_TIMEOUT: "timeout",
    UND_ERR_HEADERS_TIMEOUT: "timeout",
    UND_ERR_SOCKET: "connection-closed",
    UND_ERR_HEADERS_OVERFLOW: "bad-response",
    DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
    SELF_SIGNED_CERT_IN_CHAIN: "certificate-issuer",
    UNABLE_TO_GET_ISSUER_CERT: "certificate-issuer",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-issuer",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-issuer",
    CERT_HAS_EXPIRED: "certificate-expired",
    CERT_NOT_YET_VALID: "certificate-expired",
    ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
    EPROTO: "tls",
    EMFILE: "local",
    ENFILE: "local",
    // Bun.
    ConnectionRefused: "connection-refused",
    ConnectionClosed: "connection-closed",
  }),
);

const TLS_CODE = /^ERR_(?:SSL|TLS)_/;

/** The error and its nested causes: at most this many are read. */
const MAX_CAUSES = 4;

/** The fault of a fetch that rejected with `error`. */
export function nameFetchFault(error: unknown): Fault {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    const fault = nameOne(cause);
    if (fault !== undefined) return fault;
    cause = cause.cause;
  }
  return "network";
}

function nameOne(error: Error): Fault | undefined {
  if (error.name === "HTTPParserError") return "bad-response";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return BY_CODE.get(code) ?? (TLS_CODE.test(code) ? "tls" : undefined);
}
