// The harness of the HTTP contract: how to make the adapter, the real time, and what the adapter does not support.

import type { Clock, HttpPort } from "@postrider/core";
import type { Supported } from "../contract-case.js";

/** The optional parts of the contract, each supported, or with a reason why not. */
export interface HttpSupport {
  /** Headers are sent in the given order and case, and none is added but Host, Content-Length and Connection. */
  readonly exactHeaders: Supported;
  /** A compressed answer is not decompressed. */
  readonly rawAnswers: Supported;
  /** Closes the connection of an answer with endless headers, interim answers or chunks before the timeout. */
  readonly boundedFraming: Supported;
  /** Each kind of connection failure has a separate fault, not just `network`. */
  readonly socketFaults: Supported;
  /** Each kind of certificate failure has a separate fault, not just `tls` or `network`. */
  readonly certificateFaults: Supported;
  /** Takes further certificate authorities. */
  readonly authorities: Supported;
  /** Neither the environment nor a list of authorities makes the adapter accept a self-signed receiver. */
  readonly strictTls: Supported;
  /** Refuses addresses that are not public, unless they are allowed. */
  readonly vettedAddresses: Supported;
  /** Uses a resolver that is passed in. */
  readonly ownResolver: Supported;
  /** The adapter manages connections: uses a connection for many requests, and dials only for a request. */
  readonly ownConnections: Supported;
  /** Closes all connections when the adapter is closed. */
  readonly close: Supported;
}

/** The options of an adapter; it ignores those that it does not support. */
export interface HttpAdapterOptions {
  readonly clock: Clock;
  /** Authorities that are trusted in addition to the public ones, as PEM text. */
  readonly ca: readonly string[];
  /** Ranges that may be reached although they are not public. */
  readonly allow: readonly string[];
  /** The addresses of names; no other name is found. If undefined, the adapter resolves names by itself. */
  readonly names?: ReadonlyMap<string, readonly string[]>;
}

/** What the contract suite of HTTP ports needs from the port under test. */
export interface HttpHarness {
  create(setting: HttpAdapterOptions): HttpPort & { close?(): Promise<void> };
  /** A real clock: the receivers of this suite are real sockets on 127.0.0.1. */
  clock(): Clock;
  readonly supports: HttpSupport;
}
