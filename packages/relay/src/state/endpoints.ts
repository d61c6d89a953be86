// The state of endpoints that the relay knows: the hold of each, and the number of its open attempts, all of which are
// sent here. In memory only: without a board, a receiver has to ask for its hold again after a restart. A hold ends by the monotonic
// clock, so a step of the wall clock does not change its length.

import {
  type Clock,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  epochMs,
  type HttpPort,
  type HttpRequest,
  type MonoMs,
  plusMs,
  type Reply,
} from "@postrider/core";
import { MIN_OPEN_ATTEMPTS_BOUND, shareOfLimit } from "@postrider/core/engine";
import { sendRequest } from "../send-request.js";
import type { RelayState } from "./relay-state.js";

const NO_HOLDS: ReadonlyMap<EndpointId, EpochMs> = new Map();
const NO_ENDPOINTS: ReadonlySet<EndpointId> = new Set();

export interface Endpoints {
  /** The holds of a destination's endpoints that are still in force. */
  holds(destination: DestinationId): ReadonlyMap<EndpointId, EpochMs>;
  hold(destination: DestinationId, endpoint: EndpointId, until: EpochMs): void;
  /** Takes over the holds that other processes have heard; none becomes shorter. */
  adopt(destination: DestinationId, holds: ReadonlyMap<EndpointId, EpochMs>): void;
  /** The endpoints of a destination that have reached their bound of open attempts. */
  saturated(destination: DestinationId): ReadonlySet<EndpointId>;
  /** Sends a request to an endpoint of the destination, and counts it as an open attempt until the reply. Never rejects. */
  send(destination: DestinationId, endpoint: EndpointId, request: HttpRequest): Promise<Reply>;
  /** Forgets the holds of all destinations that are not in force. */
  keep(isInForce: (destination: DestinationId) => boolean): void;
  /** All holds, for the relay that takes over. */
  remember(): RelayState["holds"];
}

export interface EndpointsOptions {
  readonly http: HttpPort;
  readonly clock: Clock;
  /**
   * How many deliveries of a destination may be under way. The bound of open attempts at each of its endpoints is that number,
   * but at least `MAX_OPEN_ATTEMPTS`.
   */
  readonly limitOf: (destination: DestinationId) => number;
  /** The part of that bound that this process may use; 1 unless others deliver too. */
  readonly share: () => number;
  /** To be called when an endpoint has asked for a hold. */
  readonly onHold: (destination: DestinationId) => void;
  /** The holds that the former relay has known. */
  readonly known?: RelayState["holds"];
}

export function createEndpoints({ http, clock, limitOf, known = [], ...rest }: EndpointsOptions): Endpoints {
  const { share, onHold } = rest;
  const holds = new Map(known.map(([destination, held]) => [destination, new Map(held)]));
  const open = new Map<DestinationId, Map<EndpointId, number>>();

  function count(destination: DestinationId, endpoint: EndpointId, step: 1 | -1): void {
    const counts = open.get(destination) ?? new Map<EndpointId, number>();
    open.set(destination, counts);
    const attempts = (counts.get(endpoint) ?? 0) + step;
    if (attempts > 0) counts.set(endpoint, attempts);
    else counts.delete(endpoint);
    if (counts.size === 0) open.delete(destination);
  }

  function hold(destination: DestinationId, endpoint: EndpointId, lastsUntil: MonoMs): void {
    const held = holds.get(destination) ?? new Map<EndpointId, MonoMs>();
    holds.set(destination, held.set(endpoint, lastsUntil));
  }

  return {
    holds: (destination) => {
      const held = holds.get(destination);
      if (held === undefined) return NO_HOLDS;
      const offsetMs = clock.wall() - clock.monotonic();
      const lasting = [...held].filter(([, until]) => until > clock.monotonic());
      return new Map(lasting.map(([endpoint, until]) => [endpoint, epochMs(Math.ceil(until + offsetMs))]));
    },
    hold: (destination, endpoint, until): void => {
      hold(destination, endpoint, plusMs(clock.monotonic(), until - clock.wall()));
      onHold(destination);
    },
    adopt: (destination, others): void => {
      const held = holds.get(destination);
      for (const [endpoint, until] of others) {
        const lastsUntil = plusMs(clock.monotonic(), until - clock.wall());
        if (lastsUntil > (held?.get(endpoint) ?? 0)) hold(destination, endpoint, lastsUntil);
      }
    },
    saturated: (destination) => {
      const bound = shareOfLimit(Math.max(MIN_OPEN_ATTEMPTS_BOUND, limitOf(destination)), share());
      let full: Set<EndpointId> | undefined;
      for (const [endpoint, attempts] of open.get(destination) ?? []) {
        if (attempts >= bound) full = (full ?? new Set()).add(endpoint);
      }
      return full ?? NO_ENDPOINTS;
    },
    send: (destination, endpoint, request) => {
      count(destination, endpoint, 1);
      return sendRequest(request, { http, clock, onReply: () => count(destination, endpoint, -1) });
    },
    keep: (isInForce): void => {
      for (const destination of holds.keys()) if (!isInForce(destination)) holds.delete(destination);
    },
    remember: () => [...holds].map(([destination, held]) => [destination, [...held]]),
  };
}
