// Makes the connections of the pools: where the name leads is looked up, every address vetted, and those same addresses
// dialled, so that no second answer of a resolver can slip in between (decision: private addresses). TLS is strict
// whatever the environment says. A dial lasts no longer than those that wait for it. Must not know HTTP.

import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { Clock } from "@postrider/core";
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

export interface Dialler {
  /** Connections that must stand within `timeoutMs`. */
  connect(timeoutMs: number): Connect;
  /** Gives up all dials under way, and all later ones. */
  close(): void;
}

export interface DiallerOptions {
  readonly clock: Clock;
  readonly network: Network;
  readonly resolve?: Resolve;
}

/** The dialler of one HTTP port. */
export function createDialler({ clock, network, resolve = resolveBySystem }: DiallerOptions): Dialler {
  const isAllowed = createVetAddress(network);
  const openTls = createTlsOpener(network.ca ?? []);
  const underWay = new Set<(error: Error) => void>();
  let isClosed = false;

  return {
    connect: (timeoutMs) => (target, callback) => {
      dial(target, timeoutMs, callback);
    },
    close() {
      isClosed = true;
      for (const giveUp of underWay) giveUp(createFaultError("local"));
    },
  };

  function dial(target: Target, timeoutMs: number, callback: buildConnector.Callback): void {
    let socket: Socket | undefined;
    const cancelTimer = clock.after(timeoutMs, () => {
      giveUp(createFaultError("timeout"));
    });
    underWay.add(giveUp);
    if (isClosed) giveUp(createFaultError("local"));
    findAddresses(target.hostname, resolve, isAllowed).then(open, giveUp);

    function open(addresses: readonly string[]): void {
      if (!underWay.has(giveUp)) return;
      const isTls = target.protocol === "https:";
      socket = isTls ? openTls(target, addresses) : connectTcp(tcpOptions(target, addresses));
      socket
        .setNoDelay(true)
        .once(isTls ? "secureConnect" : "connect", succeed)
        .on("error", giveUp);
    }

    function succeed(): void {
      if (socket !== undefined && end()) callback(null, socket);
    }

    function giveUp(error: Error): void {
      if (!end()) return;
      socket?.destroy();
      callback(error, null);
    }

    /** True the first time. */
    function end(): boolean {
      cancelTimer();
      return underWay.delete(giveUp);
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
  let secureContext: SecureContext | undefined;
  return (target, addresses) => {
    secureContext ??= createContext(ca);
    // No session is resumed: each connection shows its certificate and has it checked.
    return connectTls({
      ...tcpOptions(target, addresses),
      secureContext,
      servername: isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      // Said outright: left out, an environment variable could switch it off.
      rejectUnauthorized: true,
      checkServerIdentity: checkCertificate,
    });
  };
}

// A list of authorities replaces the public ones, so these are listed too.
function createContext(ca: readonly string[]): SecureContext {
  const trusted = ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] };
  return createSecureContext({ ...trusted, minVersion: "TLSv1.2" });
}
