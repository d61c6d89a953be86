// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/undici` exports.

import type { Clock, Fault, HttpPort } from "@postrider/core";

export interface EndpointProbeOptions {
  readonly clock: Clock;
  readonly network?: Network;
  readonly resolve?: ResolveName;
  readonly refuse?: (() => readonly ListenAddress[]) | undefined;
  readonly limitMs: number;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface Network {
  readonly allow?: readonly string[];
  readonly ca?: readonly string[];
  readonly maxConnectionAgeMs?: number;
}

export interface ProbedEndpoint {
  readonly addresses: readonly ProbedAddress[];
  readonly fault?: Fault;
  readonly certificateEndsAt?: string;
}

export type ResolveName = (host: string) => Promise<readonly string[]>;

export declare const UNDICI_SUPPORTS: {
  readonly [
    Part in
      | "exactHeaders"
      | "emptyQueries"
      | "everyStatus"
      | "rawAnswers"
      | "statusLines"
      | "boundedFraming"
      | "socketFaults"
      | "certificateFaults"
      | "authorities"
      | "strictTls"
      | "vettedAddresses"
      | "ownResolver"
      | "ownConnections"
      | "close"
  ]: true;
};

export interface UndiciHttp extends HttpPort {
  close(): Promise<void>;
}

export interface UndiciHttpOptions {
  readonly clock: Clock;
  readonly network?: Network;
  readonly resolve?: ResolveName;
  readonly refuse?: () => readonly ListenAddress[];
  readonly onUnaskedAnswer?: (origin: string) => void;
}

export declare function createEndpointProbe({
  clock,
  network,
  resolve,
  refuse,
  limitMs,
}: EndpointProbeOptions): (url: string) => Promise<ProbedEndpoint>;

export declare function createIsForbiddenHost(network?: Network): (hostname: string) => boolean;

export declare function createUndiciHttp(options: UndiciHttpOptions): UndiciHttp;

export declare function hasForbiddenAddress(url: string, network?: Network): boolean;

export { isAddressRange } from "@postrider/core";

export declare function isCertificate(text: string): boolean;

// Not exported by name, but part of what is.

interface ProbedAddress {
  readonly address: string;
  readonly isAllowed: boolean;
  readonly isDialled: boolean;
}

export {};
