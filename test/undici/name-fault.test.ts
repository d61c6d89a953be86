import { FAULTS } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createFaultError, nameSocketFault, nameLookupFault } from "../../packages/undici/src/faults.js";

function coded(code: string, message = "whatever"): Error {
  return Object.assign(new Error(message), { code });
}

describe("nameSocketFault", () => {
  it.each([
    ["ECONNREFUSED", "connection-refused"],
    ["ECONNRESET", "connection-reset"],
    ["EPIPE", "connection-reset"],
    ["ETIMEDOUT", "timeout"],
    ["UND_ERR_SOCKET", "connection-closed"],
    ["UND_ERR_HEADERS_OVERFLOW", "bad-response"],
    ["EHOSTUNREACH", "network"],
    ["ENETUNREACH", "network"],
    ["EMFILE", "local"],
    ["EADDRNOTAVAIL", "local"],
    ["UND_ERR_DESTROYED", "local"],
    ["UND_ERR_INVALID_ARG", "invalid-header"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "certificate-issuer"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate-issuer"],
    ["CERT_HAS_EXPIRED", "certificate-expired"],
    ["CERT_NOT_YET_VALID", "certificate-expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate-host"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls"],
    ["ERR_TLS_HANDSHAKE_TIMEOUT", "tls"],
    ["EPROTO", "tls"],
    ["UNSPECIFIED", "tls"],
  ])("calls %s %s, whatever its words", (code, fault) => {
    expect(nameSocketFault(coded(code))).toBe(fault);
  });

  it("names what the parser of undici rejects, with a code and without", () => {
    const parser = Object.assign(new Error("Invalid header"), { name: "HTTPParserError" });
    expect(nameSocketFault(parser)).toBe("bad-response");
    expect(nameSocketFault(Object.assign(parser, { code: "HPE_INVALID_CONSTANT" }))).toBe("bad-response");
  });

  it("distinguishes an upgrade without a request from a connection that closed", () => {
    expect(nameSocketFault(coded("UND_ERR_SOCKET", "bad upgrade"))).toBe("bad-response");
    expect(nameSocketFault(coded("UND_ERR_SOCKET", "other side closed"))).toBe("connection-closed");
  });

  it("takes the fault of a fault error", () => {
    for (const fault of FAULTS) expect(nameSocketFault(createFaultError(fault))).toBe(fault);
  });

  it.each([[new Error("odd")], ["text"], [undefined], [{ code: "ECONNRESET" }], [coded("constructor")]])(
    "calls what it does not know `network`: %s",
    (error) => {
      expect(nameSocketFault(error)).toBe("network");
    },
  );
});

describe("nameLookupFault", () => {
  it.each(["EAI_AGAIN", "EAI_FAIL", "EAI_MEMORY", "ECONNREFUSED", "EMFILE"])("calls %s a local fault", (code) => {
    expect(nameLookupFault(coded(code))).toBe("local");
  });

  it("names a timeout for a resolver that is silent", () => {
    expect(nameLookupFault(coded("ETIMEOUT"))).toBe("timeout");
  });

  it.each(["ENOTFOUND", "ENODATA", "ESERVFAIL", ""])("calls %j a fault of the name", (code) => {
    expect(nameLookupFault(coded(code))).toBe("dns");
  });
});
