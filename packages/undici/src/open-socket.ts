// Opens sockets to addresses that were checked, and TLS over them: as strict as possible, independent of the environment (spec, webhook
// destination §4, rule 3; decision: tls settings). Refuses a certificate inside the handshake, before any byte of HTTP.

import { connect, isIP, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
  checkServerIdentity,
  type PeerCertificate,
} from "node:tls";
import { X509Certificate } from "node:crypto";
import { ADDRESS_ATTEMPT_MS, MAX_PIECE_BYTES } from "./limits.js";
import { createFaultError } from "./faults.js";

/** The target of a connection. */
export interface ConnectTarget {
  readonly protocol: string;
  /** A name or an address, an IPv6 address without brackets. */
  readonly hostname: string;
  /** Empty for the default port of the protocol. */
  readonly port: string;
}

/** Takes the bytes that a socket has received, in pieces. Each is overwritten after the call. */
export type TakePiece = (piece: Buffer) => void;

// All cipher suites that authenticate with a certificate, at a strength of 112 bits: no RSA key below 2,048 bits, no SHA-1
// signature. Set explicitly, since an option of Node can change the default.
const CIPHERS = [
  "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
  "HIGH:!aNULL:!eNULL:!PSK:!SRP:!CAMELLIA:@SECLEVEL=2",
].join(":");

interface TcpTarget {
  readonly host: string;
  readonly port: number;
}

// All plain sockets are read into one buffer, one after the other.
const READ_BUFFER: Buffer = Buffer.allocUnsafeSlow(MAX_PIECE_BYTES);

/** A socket that connects to the first of `addresses` that answers, and to no other address. With `take`, its bytes go to `take` alone. */
export function openTcp({ host, port }: TcpTarget, addresses: readonly string[], take?: TakePiece): Socket {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    keepAlive: true,
    noDelay: true,
    // Called only if the host is a name; otherwise the host is itself the checked address.
    lookup: (_host, _options, callback) => {
      callback(null, pinned);
    },
    ...(take === undefined ? {} : { onread: { buffer: READ_BUFFER, callback: (length) => takeRead(take, length) } }),
  });
  return socket;
}

/** The last piece: the next one is given in the same view, if it is as long, as most are. */
let lastPiece: Buffer = READ_BUFFER;

function takeRead(take: TakePiece, length: number): boolean {
  if (lastPiece.length !== length) lastPiece = READ_BUFFER.subarray(0, length);
  take(lastPiece);
  return true;
}

/** Returns the function that starts TLS on a connected socket. Each `ca` was checked before, by `requireValidNetwork`. */
export function createStartTls(ca: readonly string[]): (target: ConnectTarget, socket: Socket) => Socket {
  const secureContext = createContext(ca);
  // No session is resumed: the certificate of each connection is checked.
  return ({ hostname }, socket) =>
    connectTls({
      socket,
      secureContext,
      // The certificate must be valid for this host.
      host: hostname.replace(/\.$/, ""),
      servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      // Set explicitly: otherwise an environment variable could switch it off.
      rejectUnauthorized: true,
      checkServerIdentity: checkCertificate,
    });
}

// A list of authorities replaces the public ones, so the public ones are listed too.
function createContext(ca: readonly string[]): SecureContext {
  const trusted = ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] };
  return createSecureContext({ ...trusted, minVersion: "TLSv1.2", ciphers: CIPHERS });
}

/** The error for a certificate with a fault; undefined if it is accepted. */
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
