// Tries out whether a receiver could be reached, by the look-up, the vetting and the TLS of deliveries: connects, shakes hands
// and closes. Sends no byte of HTTP.

import type { Clock, Fault } from "@postrider/core";
import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { chooseAddresses, type ListenAddress, createIsAllowedAddress } from "./addresses.js";
import { createDiallerFactory } from "./dial.js";
import { nameSocketFault } from "./faults.js";
import { connectTargetOf } from "./request.js";
import { type Network, requireValidNetwork } from "./network.js";
import { createResolveName, type ResolveName } from "./resolve-name.js";

/** The options of a probe, from the settings of deliveries. */
export interface EndpointProbeOptions {
  /** Ends a probe after its limit. */
  readonly clock: Clock;
  /** Allowed addresses and trusted authorities. If absent, only the public internet and the public authorities. */
  readonly network?: Network;
  /** Resolves names. If absent, as the system would. */
  readonly resolve?: ResolveName;
  /** Returns addresses on which this host listens, which no delivery may reach. None if absent. */
  readonly refuse?: (() => readonly ListenAddress[]) | undefined;
  /** The longest time for a probe, in milliseconds. */
  readonly limitMs: number;
}

/** An address of a host. */
interface ProbedAddress {
  readonly address: string;
  /** True if it may be reached, were it the only one of the host. */
  readonly isAllowed: boolean;
  /** True if a delivery dials it, alone or with others. */
  readonly isDialled: boolean;
}

/** The result of a probe. */
export interface ProbedEndpoint {
  /** The addresses of the host. Empty if the name was not resolved. */
  readonly addresses: readonly ProbedAddress[];
  /** The fault that a delivery would have; absent if the connection was made. `timeout`: it took longer than `limitMs`. */
  readonly fault?: Fault;
  /** The end of the certificate's validity, as TLS reports it; only for https without a fault. */
  readonly certificateEndsAt?: string;
}

/**
 * Creates a function that probes the origin of an http or https URL; it never rejects. Throws an `OptionsError` like
 * `createUndiciHttp`.
 */
export function createEndpointProbe({
  clock,
  network = {},
  resolve = createResolveName({ clock }),
  refuse,
  limitMs,
}: EndpointProbeOptions): (url: string) => Promise<ProbedEndpoint> {
  requireValidNetwork("createEndpointProbe", network);
  const isAllowed = createIsAllowedAddress(network);
  const rules = { mayReach: isAllowed, isPublic: createIsAllowedAddress() };
  return (url) =>
    new Promise((settle) => {
      const target = connectTargetOf(new URL(url));
      let hostAddresses: readonly string[] = isIP(target.hostname) === 0 ? [] : [target.hostname];
      const resolveAndKeep: ResolveName = async (hostname) => (hostAddresses = await resolve(hostname));
      const dialler = createDiallerFactory({ network, resolve: resolveAndKeep, refuse })();
      const cancel = clock.after(limitMs, () => {
        end({ fault: "timeout" });
        dialler.abort();
      });
      dialler.connect(target, ignore, (error, socket) => {
        end(error === null ? readSocket(socket) : { fault: nameSocketFault(error) });
        socket?.destroy();
      });

      function end(result: Omit<ProbedEndpoint, "addresses">): void {
        cancel();
        const dialled = new Set(chooseAddresses(hostAddresses, rules));
        const addresses = hostAddresses.map((address) => ({
          address,
          isAllowed: isAllowed(address),
          isDialled: dialled.has(address),
        }));
        settle({ addresses, ...result });
      }
    });
}

function ignore(): void {
  // Bytes that a receiver sends unasked.
}

function readSocket(socket: Socket | null): Omit<ProbedEndpoint, "addresses"> {
  return socket instanceof TLSSocket ? { certificateEndsAt: socket.getPeerCertificate().valid_to } : {};
}
