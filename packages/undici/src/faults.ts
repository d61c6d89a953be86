// Names the fault behind an error of undici, the socket, TLS or the resolver. An error with a code is judged by the code, since messages
// change; an error that this package makes names its fault itself. core/round decides what follows from a fault.

import type { Fault } from "@postrider/core";

const BY_CODE: ReadonlyMap<string, Fault> = new Map(
  Object.entries<Fault>({
    ETIMEDOUT: "timeout",
    ERR_SOCKET_CONNECTION_TIMEOUT: "timeout",

    ECONNREFUSED: "connection-refused",
    ECONNRESET: "connection-reset",
    EPIPE: "connection-reset",
    ECONNABORTED: "connection-reset",
    UND_ERR_SOCKET: "connection-closed",

    UND_ERR_HEADERS_OVERFLOW: "bad-response",
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "bad-response",

    DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
    CERT_HAS_EXPIRED: "certificate-expired",
    // Not valid yet: also an error of dates.
    CERT_NOT_YET_VALID: "certificate-expired",
    ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
    HOSTNAME_MISMATCH: "certificate-host",
    SELF_SIGNED_CERT_IN_CHAIN: "certificate-issuer",
    UNABLE_TO_GET_ISSUER_CERT: "certificate-issuer",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-issuer",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-issuer",
    CERT_UNTRUSTED: "certificate-issuer",
    CERT_REJECTED: "certificate-issuer",
    CERT_CHAIN_TOO_LONG: "certificate-issuer",
    INVALID_CA: "certificate-issuer",
    INVALID_PURPOSE: "certificate-issuer",
    PATH_LENGTH_EXCEEDED: "certificate-issuer",
    CERT_REVOKED: "tls",
    CERT_SIGNATURE_FAILURE: "tls",
    EPROTO: "tls",
    // Errors that Node has no name for, such as a key that is too weak.
    UNSPECIFIED: "tls",

    UND_ERR_INVALID_ARG: "invalid-header",
    UND_ERR_NOT_SUPPORTED: "invalid-header",

    EMFILE: "local",
    ENFILE: "local",
    ENOBUFS: "local",
    ENOMEM: "local",
    EADDRNOTAVAIL: "local",
    UND_ERR_DESTROYED: "local",
    UND_ERR_CLOSED: "local",
  }),
);

const TLS_CODE = /^ERR_(?:SSL|TLS)_/;

// The resolver could not be asked, or had no resources left. c-ares reports ECONNREFUSED if the DNS server does not run.
const RESOLVER_DOWN: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_MEMORY",
  "EAI_SYSTEM",
  "ECONNREFUSED",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
]);

// Either the resolver or the DNS servers of the name did not answer; which of the two cannot be known. This error
// counts as a timeout of the receiver.
const RESOLVER_SILENT = "ETIMEOUT";

/** The fault of an exchange that ended without a status line; `network` if nothing more precise is known. */
export function nameSocketFault(error: unknown): Fault {
  if (isFaultError(error)) return error.fault;
  if (isBadAnswer(error)) return "bad-response";
  const code = codeOf(error);
  return BY_CODE.get(code) ?? (TLS_CODE.test(code) ? "tls" : "network");
}

/** The reason for which a name gave no address: the name has none (`dns`), the resolver failed (`local`), or it is unknown (`timeout`). */
export function nameLookupFault(error: unknown): Fault {
  const code = codeOf(error);
  if (code === RESOLVER_SILENT) return "timeout";
  return RESOLVER_DOWN.has(code) ? "local" : "dns";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

// Errors of undici's parser have a name, but not always a code. An upgrade that was not requested, and a 100 without an
// Expect, differ from a closed connection only by their message.
function isBadAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "HTTPParserError" || /^bad (?:upgrade|response)$/.test(error.message);
}

interface FaultError extends Error {
  readonly fault: Fault;
}

/** Creates an error for a fault that this package finds. Errors of Node and undici have a `code` instead. */
export function createFaultError(fault: Fault): FaultError {
  return Object.assign(new Error(fault), { fault });
}

/** True if this package made the error, not Node or undici. */
function isFaultError(error: unknown): error is FaultError {
  return error instanceof Error && "fault" in error;
}
