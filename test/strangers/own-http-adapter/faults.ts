// Names the fault behind an error of node:http, the socket, TLS or the resolver.

import type { Fault } from "@postrider/core";

/** A fault that this adapter has found by itself. */
export class LocalFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault);
  }
}

const BY_CODE: Readonly<Record<string, Fault>> = {
  ETIMEDOUT: "timeout",
  ECONNREFUSED: "connection-refused",
  ECONNRESET: "connection-reset",
  EPIPE: "connection-reset",
  ECONNABORTED: "connection-reset",
  ERR_INVALID_CHAR: "invalid-header",
  ERR_INVALID_HTTP_TOKEN: "invalid-header",
  ERR_HTTP_INVALID_HEADER_VALUE: "invalid-header",
  ERR_INVALID_URL: "forbidden-address",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate-issuer",
  UNABLE_TO_GET_ISSUER_CERT: "certificate-issuer",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-issuer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-issuer",
  INVALID_CA: "certificate-issuer",
  INVALID_PURPOSE: "certificate-issuer",
  EPROTO: "tls",
  EMFILE: "local",
  ENFILE: "local",
  EADDRNOTAVAIL: "local",
};

export function requestFault(error: unknown): Fault {
  if (error instanceof LocalFault) return error.fault;
  const { code = "", syscall } = error as { readonly code?: string; readonly syscall?: string };
  // Node gives a connection that was closed the same code as one that was reset, but no system call.
  if (code === "ECONNRESET" && syscall === undefined) return "connection-closed";
  if (code.startsWith("HPE_")) return "bad-response";
  return BY_CODE[code] ?? (/^ERR_(SSL|TLS)_/.test(code) ? "tls" : "network");
}

const RESOLVER_DOWN = ["EAI_AGAIN", "EAI_FAIL", "EAI_MEMORY", "EAI_SYSTEM", "ECONNREFUSED", "EMFILE"];

export function lookupFault(error: unknown): Fault {
  const { code = "" } = error as { readonly code?: string };
  return RESOLVER_DOWN.includes(code) ? "local" : "dns";
}
