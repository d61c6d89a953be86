// After the chain is verified, refuses a certificate that is signed by its own key, even one in the operator's list of
// authorities, and a certificate for another host (spec, webhook destination §4, rule 3; decision: tls settings). Runs
// inside the handshake, before any byte of HTTP.

import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { createFaultError } from "./fault-error.js";

/** The error that names what is wrong with the certificate; undefined if it is accepted. */
export function checkCertificate(host: string, certificate: PeerCertificate): Error | undefined {
  if (isSelfSigned(certificate.raw)) return createFaultError("self-signed");
  // Without alternative names, Node would fall back to the common name, which must not happen.
  if (certificate.subjectaltname === undefined) return createFaultError("certificate-host");
  return checkServerIdentity(host, certificate);
}

// Checks the signature alone: `checkIssued` also requires a key usage, which a self-signed certificate need not have.
function isSelfSigned(der: Uint8Array): boolean {
  const leaf = new X509Certificate(der);
  return leaf.verify(leaf.publicKey);
}
