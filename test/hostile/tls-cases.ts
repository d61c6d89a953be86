// Receivers that must not be trusted, and some that may: the certificate of each, the host in the URL, and the expected
// faults (promise A8, row T1). All of them are on 127.0.0.1; names resolve to it.

import type { Fault } from "@postrider/core";
import {
  answeringScript,
  createAuthority,
  createSelfSignedCertificate,
  type TlsIdentity,
  type ReceiverScript,
} from "@postrider/testkit/hostile-receivers";

export interface TlsCase {
  readonly what: string;
  readonly script: ReceiverScript;
  /** As the URL names it. */
  readonly host: string;
  /** Trusted beside the public authorities. */
  readonly ca: readonly string[];
  /** The expected fault: one of these, since it depends on the system which side sends first. */
  readonly faults: readonly Fault[];
}

const HOST = "receiver.example";
const HERE = "127.0.0.1";
const trusted = createAuthority("Trusted Authority");
const unknown = createAuthority("Unknown Authority");
const good = trusted.issue({ hosts: [HOST, HERE] });
const selfSigned = createSelfSignedCertificate({ hosts: [HOST, HERE] });

/** Receivers to which nothing may be sent. */
export const BAD: readonly TlsCase[] = [
  bad("a self-signed certificate", selfSigned, ["self-signed"]),
  {
    ...bad("a self-signed certificate that is among the authorities", selfSigned, ["self-signed"]),
    ca: [selfSigned.cert],
  },
  bad("one of an unknown authority", unknown.issue({ hosts: [HOST] }), ["certificate-issuer"]),
  bad("one of an unknown authority that it brings along", withChain(unknown.issue({ hosts: [HOST] }), unknown.cert), [
    "certificate-issuer",
  ]),
  bad("an expired one", trusted.issue({ hosts: [HOST], notAfter: new Date("2001-01-01T00:00:00Z") }), [
    "certificate-expired",
  ]),
  bad("one that is not valid yet", trusted.issue({ hosts: [HOST], notBefore: new Date("2048-01-01T00:00:00Z") }), [
    "certificate-expired",
  ]),
  bad("one for another host", trusted.issue({ hosts: ["other.example"] }), ["certificate-host"]),
  bad("one for a host below", trusted.issue({ hosts: ["a.receiver.example"] }), ["certificate-host"]),
  bad("one for all of its siblings' children", trusted.issue({ hosts: ["*.receiver.example"] }), ["certificate-host"]),
  bad("one for its address, when asked by name", trusted.issue({ hosts: [HERE] }), ["certificate-host"]),
  {
    ...bad("one for its name, when asked by address", trusted.issue({ hosts: [HOST] }), ["certificate-host"]),
    host: HERE,
  },
  bad("one that names it by common name alone", trusted.issue({ hosts: [], commonName: HOST }), ["certificate-host"]),
  bad("one with a weak key", trusted.issue({ hosts: [HOST], isWeak: true }), ["tls"]),
  speaking("TLS 1.1 and no later", { identity: good, maxVersion: "TLSv1.1" }, ["tls"]),
  speaking("TLS 1.0 and no later", { identity: good, maxVersion: "TLSv1" }, ["tls"]),
  speaking("TLS to those who show a certificate", { identity: good, wantsClientCertificate: true }, [
    "tls",
    "connection-reset",
    "connection-closed",
  ]),
  speaking(
    "TLS 1.2 to those who show a certificate",
    { identity: good, maxVersion: "TLSv1.2", wantsClientCertificate: true },
    ["tls", "connection-reset", "connection-closed"],
  ),
];

/** Receivers with a valid certificate. */
export const GOOD: readonly TlsCase[] = [
  { ...bad("a good certificate, when asked by name", good, []), host: HOST },
  { ...bad("a good certificate, when asked by address", good, []), host: HERE },
  { ...bad("one for all hosts below a name", trusted.issue({ hosts: ["*.receiver.example"] }), []), host: `a.${HOST}` },
  speaking("TLS 1.2 and no later", { identity: good, maxVersion: "TLSv1.2" }, []),
];

export const TRUSTED_CA: string = trusted.cert;
export const GOOD_IDENTITY: TlsIdentity = good;
export const UNKNOWN_IDENTITY: TlsIdentity = unknown.issue({ hosts: [HOST, HERE] });

function bad(what: string, identity: TlsIdentity, faults: readonly Fault[]): TlsCase {
  return speaking(`shows ${what}`, { identity }, faults, "");
}

function speaking(
  what: string,
  tls: NonNullable<ReceiverScript["tls"]>,
  faults: readonly Fault[],
  verb = "speaks ",
): TlsCase {
  return { what: `${verb}${what}`, script: { ...answeringScript(204), tls }, host: HOST, ca: [trusted.cert], faults };
}

function withChain({ cert, key }: TlsIdentity, issuer: string): TlsIdentity {
  return { cert: `${cert}${issuer}`, key };
}
