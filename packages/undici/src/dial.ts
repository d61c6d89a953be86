// Makes the connections of the pools: where the name leads is looked up, every address vetted, those same addresses
// dialled, and the one at the other end vetted once more before a byte is said (decision: the far end). Sets no
// timer: whoever waits gives up. Must not know HTTP.

import { isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { createFaultError } from "./fault-error.js";
import { MAX_ADDRESSES, MAX_ANSWER_BYTES } from "./limits.js";
import { nameLookupFault } from "./name-fault.js";
import { createSecure, openTcp, type Target } from "./open-socket.js";
import { createIsOwn, type ListenAddress } from "./own-address.js";
import { createResolve, type Resolve } from "./resolve-name.js";
import { createVetAddress, type Network } from "./vet-address.js";

/** How undici asks for a connection. */
export type Connect = buildConnector.connector;

/** What makes the connections of one client, one after the other. */
export interface Line {
  readonly connect: Connect;
  /** From here on, the connection is read for the next answer. */
  begin(): void;
  /** Gives up the dial that is under way, if any. */
  hangUp(): void;
}

export interface DialOptions {
  readonly network: Network;
  /** The system's resolver if absent. */
  readonly resolve?: Resolve | undefined;
  /** Where this host itself listens; asked at each dial. */
  readonly refuse?: (() => readonly ListenAddress[]) | undefined;
}

/** Whether a place may be reached: the address, and the port there. */
type VetPlace = (address: string, port: number) => boolean;

/** Opens lines that follow these rules. */
export function createDialler({ network, resolve = createResolve(), refuse = () => [] }: DialOptions): () => Line {
  const isAllowed = createVetAddress(network);
  const isOwn = createIsOwn(refuse);
  const dial = createDial({
    resolve,
    mayReach: (address, port) => isAllowed(address) && !isOwn(address, port),
    secure: createSecure(network.ca ?? []),
  });
  return () => openLine(dial);
}

/** Begins a dial and answers the way to give it up. */
type Dial = (target: Target, callback: buildConnector.Callback) => (error: Error) => void;

function openLine(dial: Dial): Line {
  let giveUp: ((error: Error) => void) | undefined;
  let pieces = 0;
  return {
    connect(target, callback) {
      giveUp = dial(target, (...dialled) => {
        if (dialled[1] !== null) watch(dialled[1]);
        callback(...dialled);
      });
    },
    begin() {
      pieces = 0;
    },
    hangUp() {
      giveUp?.(createFaultError("local"));
    },
  };

  // What is counted here is all that came in: status lines, headers and chunks have room for as much as any body. Asking
  // a socket how much it has read costs more than all else here, and nearly every answer comes in one piece: so it is
  // asked from the second piece on. None is larger than what a socket takes in before it is read.
  function watch(socket: Socket): void {
    let readBefore = 0;
    socket.on("readable", () => {
      pieces += 1;
      if (pieces === 2) readBefore = socket.bytesRead;
      if (pieces > 2 && socket.bytesRead - readBefore > MAX_ANSWER_BYTES) {
        socket.destroy(createFaultError("bad-response"));
      }
    });
  }
}

interface DialRules {
  readonly resolve: Resolve;
  readonly mayReach: VetPlace;
  readonly secure: (target: Target, socket: Socket) => Socket;
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
      // One that may not be reached spoils the whole name.
      if (!addresses.every((address) => mayReach(address, port))) throw createFaultError("forbidden-address");
      socket = openTcp({ host: target.hostname, port }, addresses.slice(0, MAX_ADDRESSES))
        .once("connect", meet)
        .on("error", fail);
    }

    function meet(): void {
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

/** The addresses of a host: itself, if it is one. */
async function findAddresses(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const addresses = await resolve(host).catch((error: unknown) => {
    throw createFaultError(nameLookupFault(error));
  });
  if (addresses.length === 0) throw createFaultError("dns");
  return addresses;
}

function portOf({ port, protocol }: Target): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}
