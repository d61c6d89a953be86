import { describe, expect, it } from "vitest";
import { nameFetchFault } from "../../packages/fetch/src/create-http.js";

/** As Node's fetch rejects. */
function failed(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("whatever"), { code }) });
}

describe("the fault of a fetch", () => {
  it.each([
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "local"],
    ["ECONNREFUSED", "connection-refused"],
    ["ECONNRESET", "connection-reset"],
    ["UND_ERR_SOCKET", "connection-closed"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed"],
    ["CERT_HAS_EXPIRED", "certificate-expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate-host"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate-issuer"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["EMFILE", "local"],
    ["constructor", "network"],
  ])("with %s below it is %s", (code, fault) => {
    expect(nameFetchFault(failed(code))).toBe(fault);
  });

  it("is found on the error itself as well, as Bun has it", () => {
    expect(nameFetchFault(Object.assign(new Error("Unable to connect"), { code: "ConnectionRefused" }))).toBe(
      "connection-refused",
    );
  });

  it("is `bad-response` if the parser gave up", () => {
    const cause = Object.assign(new Error("Invalid"), { name: "HTTPParserError" });
    expect(nameFetchFault(new TypeError("fetch failed", { cause }))).toBe("bad-response");
  });

  it("is `network` if nothing is known, even for an error that is its own cause", () => {
    const endless = new Error("endless");
    endless.cause = endless;
    for (const error of [endless, new TypeError("fetch failed"), "text", undefined]) {
      expect(nameFetchFault(error)).toBe("network");
    }
  });
});
