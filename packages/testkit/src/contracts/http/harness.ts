// The harness of the HTTP contract: how to make the adapter, the real time, and what the adapter does not support.

import type { Clock, HttpPort } from "@postrider/core";
import type { Supported } from "../contract-case.js";

/** True if headers are sent exactly as they are passed; if not, the reason, and the headers that the adapter adds. */
export type ExactHeaders =
  | true
  | {
      readonly reason: string;
      /** Headers that are added to a request without them, in lower case; none if absent. */
      readonly adds?: readonly string[];
    };

/** The optional parts of the contract, each supported, or with a reason why not. */
export interface HttpSupport {
  /** Headers are sent in the given order and case, and none is added but Host, Content-Length and Connection. */
  readonly exactHeaders: ExactHeaders;
  /** A `?` at the end of a URL is sent, although no query follows. */
  readonly emptyQueries: Supported;
  /** Reports 407 and 421 like any other status, without a further request. */
  readonly everyStatus: Supported;
  /** A compressed answer is not decompressed. */
  readonly rawAnswers: Supported;
  /** Reports a success by its status line, whatever breaks behind that line, and skips a 100 that was not asked for. */
  readonly statusLines: Supported;
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

/** The name of an optional part. */
export type HttpAbility = keyof HttpSupport;

/** The options of an adapter; it ignores those that it does not support. */
export interface HttpAdapterOptions {
  readonly clock: Clock;
  /** Authorities that are trusted in addition to the public ones, as PEM text. */
  readonly ca: readonly string[];
  /** Ranges that may be reached although they are not public. */
  readonly allow: readonly string[];
  /**
   * Resolves a name to its addresses, perhaps slowly, differently each time, or never; rejects if it fails. If undefined,
   * the adapter resolves names by itself.
   */
  readonly names?: (host: string) => Promise<readonly string[]>;
}

/** An adapter under test. */
export type TestedHttp = HttpPort & { close?(): Promise<void> };

/** The port under test, as the contract suite of HTTP ports uses it. */
export interface HttpHarness {
  create(options: HttpAdapterOptions): TestedHttp;
  /** A real clock: the receivers of this suite are real sockets on 127.0.0.1. */
  clock(): Clock;
  readonly supports: HttpSupport;
}
