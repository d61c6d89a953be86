import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "node:tls";
import { describe, expect, it } from "vitest";
import {
  createAuthority,
  createSelfSignedCertificate,
} from "../../packages/testkit/src/contracts/http/certificates.js";
import { checkCertificate } from "../../packages/undici/src/open-socket.js";
import { nameSocketFault } from "../../packages/undici/src/faults.js";

function shown(pem: string): PeerCertificate {
  return new X509Certificate(pem).toLegacyObject();
}

describe("checkCertificate", () => {
  const hosts = ["receiver.example"];

  it("finds nothing wrong with one that another key has signed, for its host", () => {
    expect(checkCertificate("receiver.example", shown(createAuthority().issue({ hosts }).cert))).toBeUndefined();
  });

  it("finds one that is signed by its own key, for any key usage", () => {
    for (const cert of [createSelfSignedCertificate({ hosts }).cert, createAuthority().cert]) {
      expect(nameSocketFault(checkCertificate("receiver.example", shown(cert)))).toBe("self-signed");
    }
  });

  it("is not misled by an authority that has the receiver's name", () => {
    const { cert } = createAuthority("receiver").issue({ hosts });
    expect(checkCertificate("receiver.example", shown(cert))).toBeUndefined();
  });

  it("finds one for another host", () => {
    const { cert } = createAuthority().issue({ hosts });
    expect(nameSocketFault(checkCertificate("other.example", shown(cert)))).toBe("certificate-host");
  });
});
