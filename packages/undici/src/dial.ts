// Makes the connections of the pools: resolves the name, checks every address, dials these addresses only, and checks the
// address of the peer once more before the first byte is sent (decision: peer addresses). Sets no timer: the caller aborts
// the dial. Must not know HTTP.

import { isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { createFaultError } from "./fault-error.js";
import { MAX_ADDRESSES, MAX_WIRE_BYTES } from "./limits.js";
import { nameLookupFault } from "./name-fault.js";
import type { Network } from "./network.js";
import { createStartTls, openTcp, type ConnectTarget } from "./open-socket.js";
import { createIsOwnAddress, type ListenAddress } from "./own-address.js";
import { createResolveName, type ResolveName } from "./resolve-name.js";
import { createIsAllowedAddress } from "./vet-address.js";

/** The function that undici calls for a connection. */
export type Connect = buildConnector.connector;

/** Makes the connections of one client, one at a time. */
export interface Dialler {
  readonly connect: Connect;
  /** Starts the count of the bytes of the next answer. */
  startAnswer(): void;
  /** Ends the dial that is under way, if any. */
  abort(): void;
}

export interface DialOptions {
  readonly network: Network;
  /** The system's resolver if absent. */
  readonly resolve?: ResolveName | undefined;
  /** Addresses on which this host listens; read at each dial. */
  readonly refuse?: (() => readonly ListenAddress[]) | undefined;
}

/** Whether this port of this address may be reached. */
type MayReach = (address: string, port: number) => boolean;

/** Returns a factory of diallers that follow these rules. */
export function createDiallerFactory({
  network,
  resolve = createResolveName(),
  refuse = () => [],
}: DialOptions): () => Dialler {
  const isAllowed = createIsAllowedAddress(network);
  const isOwn = createIsOwnAddress(refuse);
  const dial = createDial({
    resolve,
    mayReach: (address, port) => isAllowed(address) && !isOwn(address, port),
    secure: createStartTls(network.ca ?? []),
  });
  return () => createDialler(dial);
}

/** Starts a dial and returns the function that ends it. */
type Dial = (target: ConnectTarget, callback: buildConnector.Callback) => (error: Error) => void;

function createDialler(dial: Dial): Dialler {
  let abort: ((error: Error) => void) | undefined;
  let pieces = 0;
  return {
    connect(target, callback) {
      abort = dial(target, (...dialled) => {
        if (dialled[1] !== null) watch(dialled[1]);
        callback(...dialled);
      });
    },
    startAnswer() {
      pieces = 0;
    },
    abort() {
      abort?.(createFaultError("local"));
    },
  };

  // Limits all bytes of an answer: status lines, headers and chunk framing can be as long as any body. Reading
  // `bytesRead` is expensive, and most answers come in one piece, so `bytesRead` is read only from the second piece on.
  // A piece is never larger than the read buffer of a socket.
  function watch(socket: Socket): void {
    let readBefore = 0;
    socket.on("readable", () => {
      pieces += 1;
      if (pieces === 2) readBefore = socket.bytesRead;
      if (pieces > 2 && socket.bytesRead - readBefore > MAX_WIRE_BYTES) {
        socket.destroy(createFaultError("bad-response"));
      }
    });
  }
}

interface DialRules {
  readonly resolve: ResolveName;
  readonly mayReach: MayReach;
  readonly secure: (target: ConnectTarget, socket: Socket) => Socket;
}

function createDial({ resolve, mayReach, secure }: DialRules): Dial {
  return (target, callback) => {
    const port = portOf(target);
    let socket: Socket | undefined;
    let isOver = false;
    findAddresses(target.hostname, resolve).then(open).catch(fail);
    return fail;

    function open(addresses: readonly string[]): void {
      if (isOver) return;
      // One forbidden address makes the whole name forbidden.
      if (!addresses.every((address) => mayReach(address, port))) throw createFaultError("forbidden-address");
      socket = openTcp({ host: target.hostname, port }, addresses.slice(0, MAX_ADDRESSES))
        .once("connect", onConnect)
        .on("error", fail);
    }

    function onConnect(): void {
      if (isOver || socket === undefined) return;
      if (!mayReach(socket.remoteAddress ?? "", port)) fail(createFaultError("forbidden-address"));
      else if (target.protocol === "https:")
        socket = secure(target, socket).once("secureConnect", succeed).on("error", fail);
      else succeed();
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
  };
}

/** The addresses of a host. If the host is an address, only this address. */
async function findAddresses(host: string, resolve: ResolveName): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const addresses = await resolve(host).catch((error: unknown) => {
    throw createFaultError(nameLookupFault(error));
  });
  if (addresses.length === 0) throw createFaultError("dns");
  return addresses;
}

function portOf({ port, protocol }: ConnectTarget): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}
