// Says in words why a server gave no answer, and what to do about it, for all commands that ask one. The code of the fault is
// kept at the end, to be searched for. A text of the engine that may contain the token is never shown.

const WRONG_URL = "correct --url or POSTRIDER_URL";
const CLOSED = "it closed the connection without an answer; if it serves TLS, the URL begins with https://";
const TOO_LATE = "it took too long; does a firewall drop the connection?";
const NO_ROUTE = "there is no route from this machine to it";
const NOT_TLS = "it speaks no TLS; write http:// in the URL, or give the server a certificate";
const UNTRUSTED =
  "the authority of the server's certificate is not trusted here; name the authority's file in the variable NODE_EXTRA_CA_CERTS";
const BAD_HEADER = "invalid header";

/** The meaning of each code, and advice. Codes of Node, OpenSSL and undici; the last two are texts without a code. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", `nothing listens there; start the server, or ${WRONG_URL}`],
  ["ENOTFOUND", `its name has no address; ${WRONG_URL}`],
  ["EAI_AGAIN", "its name cannot be looked up now; try again, or name the server by its address"],
  ["ECONNRESET", CLOSED],
  ["UND_ERR_SOCKET", CLOSED],
  ["EPIPE", CLOSED],
  ["ETIMEDOUT", TOO_LATE],
  ["UND_ERR_CONNECT_TIMEOUT", TOO_LATE],
  ["timeout", TOO_LATE],
  ["EHOSTUNREACH", NO_ROUTE],
  ["ENETUNREACH", NO_ROUTE],
  ["EPROTO", NOT_TLS],
  ["ERR_SSL_WRONG_VERSION_NUMBER", NOT_TLS],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", NOT_TLS],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "the server's certificate is self-signed; name its file in the variable NODE_EXTRA_CA_CERTS",
  ],
  ["SELF_SIGNED_CERT_IN_CHAIN", UNTRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT", UNTRUSTED],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", UNTRUSTED],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", UNTRUSTED],
  ["CERT_HAS_EXPIRED", "the server's certificate has expired; renew it, then reload the server"],
  ["CERT_NOT_YET_VALID", "the server's certificate is not valid yet; is the clock of this machine right?"],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "the server's certificate is for another name; use a name of the certificate in the URL",
  ],
  ["bad port", "its port is reserved for another protocol, and is never asked; have the server listen on another port"],
  [BAD_HEADER, "the token or the write key has a character that no HTTP header may have; is a line break in it?"],
]);

/** `nothing listens there; start the server, or correct --url or POSTRIDER_URL (ECONNREFUSED)`. Takes an error, or a code. */
export function faultInWords(fault: unknown): string {
  const code = typeof fault === "string" ? fault : codeOf(fault);
  return code === undefined ? UNKNOWN_FAULT : `${WORDS.get(code) ?? kindOf(code)} (${code})`;
}

const UNKNOWN_FAULT = "the request has failed";
/** The name of the error of undici's parser, which has no code from undici 7 on (Node 24, or a host that loads undici). */
const PARSER_ERROR = "HTTPParserError";

function kindOf(code: string): string {
  if (code.startsWith("HPE_") || code === PARSER_ERROR) return `what listens there does not speak HTTP; ${WRONG_URL}`;
  return code.startsWith("ERR_SSL_") ? "the TLS handshake has failed" : UNKNOWN_FAULT;
}

/** fetch has the fault in the cause of its error. It has no cause if the request itself is wrong: then a header is. */
function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error)) return undefined;
  if (fault.cause instanceof Error) return ownCode(fault.cause) ?? fault.cause.message;
  const code = ownCode(fault);
  return code === undefined || code === "ERR_INVALID_CHAR" ? BAD_HEADER : code;
}

function ownCode(error: Error): string | undefined {
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.name === PARSER_ERROR ? PARSER_ERROR : undefined;
}
