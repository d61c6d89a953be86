// Makes the sockets of the connections: resolves the name, checks every address, dials those that may be reached, and checks the
// address of the peer once more before the first byte is sent (decision: peer addresses). Sets no timer: the caller aborts
// the dial.

import { isIP, type Socket } from "node:net";
import { chooseAddresses, createIsOwnAddress, type ListenAddress, createIsAllowedAddress } from "./addresses.js";
import { createFaultError, nameLookupFault } from "./faults.js";
import type { Network } from "./network.js";
import { type ConnectTarget, createStartTls, openTcp, type TakePiece } from "./open-socket.js";
import type { ResolveName } from "./resolve-name.js";

/** Called once for each dial. */
export type OnDialled = (error: Error | null, socket: Socket | null) => void;

/** Makes sockets, one at a time. */
export interface Dialler {
  /** Dials, and calls `onDialled`. From then on, `take` gets all that the socket receives. */
  connect(target: ConnectTarget, take: TakePiece, onDialled: OnDialled): void;
  /** Ends the dial that is under way, if any. */
  abort(): void;
}

export interface DialOptions {
  readonly network: Network;
  readonly resolve: ResolveName;
  /** Addresses on which this host listens; read at each dial. */
  readonly refuse?: (() => readonly ListenAddress[]) | undefined;
}

/** Returns a factory of diallers that follow these rules. */
export function createDiallerFactory({ network, resolve, refuse = () => [] }: DialOptions): () => Dialler {
  const isAllowed = createIsAllowedAddress(network);
  const isPublic = createIsAllowedAddress();
  const isOwn = createIsOwnAddress(refuse);
  const dial = createDial({
    resolve,
    choose: (addresses, port) =>
      chooseAddresses(addresses, { mayReach: (address) => isAllowed(address) && !isOwn(address, port), isPublic }),
    secure: createStartTls(network.ca ?? []),
  });
  return () => createDialler(dial);
}

/** Starts a dial and returns the function that ends it. */
type Dial = (target: ConnectTarget, take: TakePiece, onDialled: OnDialled) => (error: Error) => void;

function createDialler(dial: Dial): Dialler {
  let abort: ((error: Error) => void) | undefined;
  return {
    connect(target, take, onDialled) {
      abort = dial(target, take, onDialled);
    },
    abort() {
      abort?.(createFaultError("local"));
    },
  };
}

interface DialRules {
  readonly resolve: ResolveName;
  /** The addresses that are dialled for a port, in order; none if the name may not be reached. */
  readonly choose: (addresses: readonly string[], port: number) => readonly string[];
  readonly secure: (target: ConnectTarget, socket: Socket) => Socket;
}

function createDial({ resolve, choose, secure }: DialRules): Dial {
  return (target, take, onDialled) => {
    const port = portOf(target);
    const isSecure = target.protocol === "https:";
    let socket: Socket | undefined;
    let isOver = false;
    findAddresses(target.hostname, resolve).then(open).catch(fail);
    return fail;

    function open(addresses: readonly string[]): void {
      if (isOver) return;
      const chosen = choose(addresses, port);
      if (chosen.length === 0) throw createFaultError("forbidden-address");
      socket = openTcp({ host: target.hostname, port }, chosen, isSecure ? undefined : take)
        .once("connect", onConnect)
        .on("error", fail);
    }

    function onConnect(): void {
      if (isOver || socket === undefined) return;
      if (choose([socket.remoteAddress ?? ""], port).length === 0) fail(createFaultError("forbidden-address"));
      else if (isSecure) socket = secure(target, socket).once("secureConnect", succeed).on("error", fail);
      else succeed();
    }

    function succeed(): void {
      if (isOver || socket === undefined) return;
      isOver = true;
      onDialled(null, socket);
      if (isSecure) socket.on("data", take);
    }

    function fail(error: Error): void {
      if (isOver) return;
      isOver = true;
      socket?.destroy();
      onDialled(error, null);
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
