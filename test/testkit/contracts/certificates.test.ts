import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { describe, expect, it } from "vitest";
import {
  createAuthority,
  createSelfSignedCertificate,
} from "../../../packages/testkit/src/contracts/http/certificates.js";

const authority = createAuthority();
const hosts = ["receiver.example", "127.0.0.1"];

describe("certificates made at run time", () => {
  it("are read by the platform whatever their length, alone and as a chain", () => {
    for (let length = 1; length <= 64; length += 1) {
      const { cert, key } = authority.issue({ hosts, commonName: "r".repeat(length) });
      expect(() => createSecureContext({ cert: `${cert}${authority.cert}`, key })).not.toThrow();
    }
  });

  it("are signed by their authority, or by themselves", () => {
    const issuer = new X509Certificate(authority.cert);
    const issued = new X509Certificate(authority.issue({ hosts }).cert);
    const selfSigned = new X509Certificate(createSelfSignedCertificate({ hosts }).cert);
    expect([issued.checkIssued(issuer), issued.verify(issuer.publicKey)]).toEqual([true, true]);
    expect(selfSigned.verify(selfSigned.publicKey)).toBe(true);
  });

  it("are valid for the given hosts, or for none", () => {
    const named = new X509Certificate(authority.issue({ hosts }).cert);
    expect([named.checkHost("receiver.example"), named.checkIP("127.0.0.1")]).toEqual([...hosts]);
    const unnamed = new X509Certificate(authority.issue({ hosts: [], commonName: "receiver.example" }).cert);
    expect([unnamed.subject, unnamed.subjectAltName]).toEqual(["CN=receiver.example", undefined]);
  });

  it("can have a key that is too short", () => {
    const { publicKey } = new X509Certificate(authority.issue({ hosts, isWeak: true }).cert);
    expect(publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 1_024 });
  });
});
