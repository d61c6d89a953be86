// Decides, once the chain holds, whether a receiver's own certificate will do (spec, webhook destination §4, rule 3): not
// signed by its own key, even where the operator's list of authorities holds it, and for the host that was asked for
// (decision: tls settings). Runs inside the handshake, before any byte of HTTP.

import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { createFaultError } from "./fault-error.js";

/** What is wrong with the certificate, if anything. */
export function checkCertificate(host: string, certificate: PeerCertificate): Error | undefined {
  if (isSelfSigned(certificate.raw)) return createFaultError("self-signed");
  // The platform would then take the common name for a host.
  if (certificate.subjectaltname === undefined) return createFaultError("certificate-host");
  return checkServerIdentity(host, certificate);
}

// By signature alone. `checkIssued` also wants a key usage that a self-signed leaf need not have.
function isSelfSigned(der: Uint8Array): boolean {
  const leaf = new X509Certificate(der);
  return leaf.verify(leaf.publicKey);
}
