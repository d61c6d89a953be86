// Makes the connections of the pools: where the name leads is looked up, every address vetted, and those same addresses
// dialled, so that no second answer of a resolver can slip in between (decision: private addresses). TLS is strict
// whatever the environment says. Sets no timer: whoever waits gives up. Must not know HTTP.

import { X509Certificate } from "node:crypto";
import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { buildConnector } from "undici";
import { checkCertificate } from "./check-certificate.js";
import { createFaultError } from "./fault-error.js";
import { ADDRESS_ATTEMPT_MS, MAX_ADDRESSES } from "./limits.js";
import { nameLookupFault } from "./name-fault.js";
import { createVetAddress, type Network, type VetAddress } from "./vet-address.js";

/** The addresses of a name, as text. Rejects, with the resolver's `code`, or answers none where there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** How undici asks for a connection. */
export type Connect = buildConnector.connector;
type Target = buildConnector.Options;

/** What makes the connections of one client, one after the other. */
export interface Line {
  readonly connect: Connect;
  /** Gives up the dial that is under way, if any. */
  hangUp(): void;
}

export interface DialOptions {
  readonly network: Network;
  /** The system's resolver if absent. */
  readonly resolve?: Resolve | undefined;
}

/** Opens lines that follow these rules. */
export function createDialler({ network, resolve = resolveBySystem }: DialOptions): () => Line {
  const isAllowed = createVetAddress(network);
  const openTls = createTlsOpener(network.ca ?? []);

  return () => {
    let giveUp: ((error: Error) => void) | undefined;
    return {
      connect(target, callback) {
        giveUp = dial(target, callback);
      },
      hangUp() {
        giveUp?.(createFaultError("local"));
      },
    };
  };

  /** Answers the way to give it up. */
  function dial(target: Target, callback: buildConnector.Callback): (error: Error) => void {
    let socket: Socket | undefined;
    let isOver = false;
    findAddresses(target.hostname, resolve, isAllowed).then(open).catch(fail);
    return fail;

    function open(addresses: readonly string[]): void {
      if (isOver) return;
      const isTls = target.protocol === "https:";
      socket = isTls ? openTls(target, addresses) : connectTcp(tcpOptions(target, addresses));
      socket
        .setNoDelay(true)
        .once(isTls ? "secureConnect" : "connect", succeed)
        .on("error", fail);
    }

    function succeed(): void {
      if (isOver || socket === undefined) return;
      isOver = true;
      callback(null, socket);
    }

    function fail(error: Error): void {
      if (isOver) return;
      isOver = true;
      socket?.destroy();
      callback(error, null);
    }
  }
}

/** The vetted addresses of a host: itself, if it is one. One that may not be reached spoils the whole name. */
async function findAddresses(host: string, resolve: Resolve, isAllowed: VetAddress): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await lookUp(host, resolve) : [host];
  if (!addresses.every(isAllowed)) throw createFaultError("forbidden-address");
  return addresses.slice(0, MAX_ADDRESSES);
}

async function lookUp(host: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw createFaultError(nameLookupFault(error));
  });
  if (addresses.length === 0) throw createFaultError("dns");
  return addresses;
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

function tcpOptions({ hostname, protocol, port }: Target, addresses: readonly string[]): TcpNetConnectOpts {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    host: hostname,
    port: port === "" ? defaultPort(protocol) : Number(port),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    keepAlive: true,
    // Asked only for names; an address as host is the vetted one itself.
    lookup: (_host, _options, found) => {
      found(null, pinned);
    },
  };
}

function defaultPort(protocol: string): number {
  return protocol === "https:" ? 443 : 80;
}

function createTlsOpener(ca: readonly string[]): (target: Target, addresses: readonly string[]) => Socket {
  const secureContext = createContext(ca);
  // No session is resumed: each connection shows its certificate and has it checked.
  return (target, addresses) =>
    connectTls({
      ...tcpOptions(target, addresses),
      secureContext,
      servername: isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, "") : "",
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
  return createSecureContext({ ...trusted, minVersion: "TLSv1.2" });
}
