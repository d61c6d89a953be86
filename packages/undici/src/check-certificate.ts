// Decides, after the chain was verified, whether a receiver's certificate is accepted (spec, webhook destination §4, rule
// 3): not signed by its own key, even if the operator's list of authorities contains it, and valid for the requested host
// (decision: tls settings). Runs inside the handshake, before any byte of HTTP.

import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { createFaultError } from "./fault-error.js";

/** The fault of the certificate, if any. */
export function checkCertificate(host: string, certificate: PeerCertificate): Error | undefined {
  if (isSelfSigned(certificate.raw)) return createFaultError("self-signed");
  // The platform would then take the common name as a host.
  if (certificate.subjectaltname === undefined) return createFaultError("certificate-host");
  return checkServerIdentity(host, certificate);
}

// By signature alone. `checkIssued` also requires a key usage that a self-signed certificate need not have.
function isSelfSigned(der: Uint8Array): boolean {
  const leaf = new X509Certificate(der);
  return leaf.verify(leaf.publicKey);
}
