// Refuses a receiver whose certificate is signed by its own key, even if it is among the trusted authorities, or is for
// another host.

import { X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { LocalFault } from "./faults.js";

export function checkCertificate(host: string, certificate: PeerCertificate): Error | undefined {
  const leaf = new X509Certificate(certificate.raw);
  if (leaf.verify(leaf.publicKey)) return new LocalFault("self-signed");
  return checkServerIdentity(host, certificate);
}
