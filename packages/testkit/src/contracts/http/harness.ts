// What the HTTP contract needs of whoever runs it: how to make the adapter, the real time, and what the adapter cannot do.

import type { Clock, HttpPort } from "@postrider/core";
import type { Supported } from "../contract-case.js";

/** The parts of the contract that an adapter may be without, each with its reason. */
export interface HttpSupport {
  /** Headers leave in the order and case given, and none is added but Host, Content-Length and Connection. */
  readonly exactHeaders: Supported;
  /** A compressed answer is left as it came. */
  readonly rawAnswers: Supported;
  /** Hangs up on an answer that is wound up without end in headers, interim answers or chunks, before time is up. */
  readonly boundedFraming: Supported;
  /** Each way in which a connection fails has its own fault, not just `network`. */
  readonly socketFaults: Supported;
  /** Each way in which a certificate fails has its own fault, not just `tls` or `network`. */
  readonly certificateFaults: Supported;
  /** Takes further certificate authorities. */
  readonly authorities: Supported;
  /** Neither the environment nor a list of authorities makes it accept a self-signed receiver. */
  readonly strictTls: Supported;
  /** Refuses addresses that are not public, unless they are allowed. */
  readonly vettedAddresses: Supported;
  /** Asks a resolver that it is handed. */
  readonly ownResolver: Supported;
  /** Connections are its own: it uses one for many requests, and dials for nothing but a request. */
  readonly ownConnections: Supported;
  /** Ends all connections when it is closed. */
  readonly close: Supported;
}

/** What an adapter is made with; it ignores what it does not support. */
export interface HttpSetting {
  readonly clock: Clock;
  /** Authorities to trust beside the public ones, as PEM text. */
  readonly ca: readonly string[];
  /** Ranges that may be reached although they are not public. */
  readonly allow: readonly string[];
  /** Where names lead; no other name is found. If undefined, the adapter looks names up by itself. */
  readonly names?: ReadonlyMap<string, readonly string[]>;
}

export interface HttpHarness {
  create(setting: HttpSetting): HttpPort & { close?(): Promise<void> };
  /** Real time: receivers of this suite are real sockets on 127.0.0.1. */
  clock(): Clock;
  readonly supports: HttpSupport;
}
