// Opens sockets to addresses that have been found good, and puts TLS over them: as strict as it can be made, whatever the
// environment says (spec, webhook destination §4, rule 3). Must not know which addresses are good, nor HTTP.

import { X509Certificate } from "node:crypto";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { buildConnector } from "undici";
import { checkCertificate } from "./check-certificate.js";
import { ADDRESS_ATTEMPT_MS } from "./limits.js";

/** What undici wants a connection to. */
export type Target = buildConnector.Options;

// All that speaks for its identity with a certificate, and strong enough for 112 bits: no RSA key below 2,048 bits, no
// signature over SHA-1. Said outright, since a command line can change what is usual.
const CIPHERS = [
  "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
  "HIGH:!aNULL:!eNULL:!PSK:!SRP:!CAMELLIA:@SECLEVEL=2",
].join(":");

export interface TcpTarget {
  readonly host: string;
  readonly port: number;
}

/** A socket that connects to the first of these addresses that answers, and to no other. */
export function openTcp({ host, port }: TcpTarget, addresses: readonly string[]): Socket {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    keepAlive: true,
    noDelay: true,
    // Asked only for names; an address as host is the vetted one itself.
    lookup: (_host, _options, found) => {
      found(null, pinned);
    },
  });
  return socket;
}

/** What puts TLS over a connected socket. Throws on a `ca` that is no certificate. */
export function createSecure(ca: readonly string[]): (target: Target, socket: Socket) => Socket {
  const secureContext = createContext(ca);
  // No session is resumed: each connection shows its certificate and has it checked.
  return ({ hostname }, socket) =>
    connectTls({
      socket,
      secureContext,
      // What the certificate must speak for, and what is asked for by name.
      host: hostname.replace(/\.$/, ""),
      servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      // Said outright: left out, an environment variable could switch it off.
      rejectUnauthorized: true,
      checkServerIdentity: checkCertificate,
    });
}

// A list of authorities replaces the public ones, so these are listed too. What is no certificate would be passed over in
// silence: reading it here makes it throw.
function createContext(ca: readonly string[]): SecureContext {
  for (const pem of ca) new X509Certificate(pem);
  const trusted = ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] };
  return createSecureContext({ ...trusted, minVersion: "TLSv1.2", ciphers: CIPHERS });
}
