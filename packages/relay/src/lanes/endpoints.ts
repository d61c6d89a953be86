// The state of endpoints: the hold of each, its standing, and the number of its open attempts, all of which are sent here; and the
// streaks of local faults of deliveries. In memory only: without a board, a receiver has to ask for its hold again after a restart.
// A hold ends by the monotonic clock, so a step of the wall clock does not change its length (decision: refusals).

import {
  type DestinationId,
  type EndpointId,
  type EpochMs,
  epochMs,
  type HttpPort,
  type HttpRequest,
  type MonoMs,
  plusMs,
  type Reply,
  type DeliveryId,
} from "@postrider/core";
import {
  type Deadlines,
  type HeardReply,
  MIN_OPEN_ATTEMPTS_BOUND,
  shareOfLimit,
  type Standings,
  afterReply,
  NO_STANDING,
  type Standing,
} from "@postrider/core/engine";
import { sendRequest } from "../send-request.js";
import type { RelayState } from "../relay-state.js";
import type { WatchedClock } from "../fleet/clock.js";
import { MAX_LOCAL_STREAKS } from "../limits.js";

const NO_HOLDS: ReadonlyMap<EndpointId, EpochMs> = new Map();

const NO_ENDPOINTS: ReadonlySet<EndpointId> = new Set();

const NO_STANDINGS: ReadonlyMap<EndpointId, Standing> = new Map();

export interface Endpoints {
  /** The holds of a destination's endpoints that are still in force. */
  holds(destination: DestinationId): ReadonlyMap<EndpointId, EpochMs>;
  hold(destination: DestinationId, endpoint: EndpointId, until: EpochMs): void;
  /** Takes over the holds that other processes have heard; none becomes shorter. */
  adopt(destination: DestinationId, holds: ReadonlyMap<EndpointId, EpochMs>): void;
  /** The standings of the endpoints of a destination, by their recent replies. */
  standings(destination: DestinationId): Standings;
  /** To be called with each reply to a message. */
  replied(destination: DestinationId, endpoint: EndpointId, heard: HeardReply): void;
  /** The endpoints of a destination that have reached their bound of open attempts. */
  saturated(destination: DestinationId): ReadonlySet<EndpointId>;
  /** Sends a request to an endpoint of the destination, and counts it as an open attempt until `onReply` is called, once. */
  send(request: HttpRequest, to: AttemptedEndpoint, onReply: (reply: Reply) => void): void;
  /** Forgets all other destinations, but for holds that last: a destination may come back in a moment. */
  keep(isNeeded: (destination: DestinationId) => boolean): void;
  /** All that is known, for the relay that takes over. */
  remember(): Pick<RelayState, "holds" | "standings">;
}

export interface EndpointsOptions {
  readonly http: HttpPort;
  readonly clock: WatchedClock;
  readonly deadlines: Deadlines;
  /**
   * The number of deliveries of a destination that may be under way. The bound of open attempts at each of its endpoints is
   * that number, but at least `MIN_OPEN_ATTEMPTS_BOUND`.
   */
  readonly limitOf: (destination: DestinationId) => number;
  /** The part of that bound that this process may use; 1 unless others deliver too. */
  readonly share: () => number;
  /** To be called when an endpoint has asked for a hold. */
  readonly onHold: (destination: DestinationId) => void;
  /** The memory of the former relay. */
  readonly known?: Pick<RelayState, "holds" | "standings">;
}

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { http, clock, deadlines, limitOf, share, onHold, known } = options;
  const sending = { http, clock, deadlines };
  const holds = new Map(known?.holds.map(([destination, held]) => [destination, new Map(held)]));
  const standings = createEndpointStandings(clock, known?.standings);
  const openAttempts = createOpenAttempts();

  function hold(destination: DestinationId, endpoint: EndpointId, lastsUntil: MonoMs): void {
    const endpointHolds = holds.get(destination) ?? new Map<EndpointId, MonoMs>();
    holds.set(destination, endpointHolds.set(endpoint, lastsUntil));
  }

  return {
    holds: (destination) => {
      const endpointHolds = holds.get(destination);
      if (endpointHolds === undefined) return NO_HOLDS;
      const offsetMs = clock.wall() - clock.monotonic();
      const lasting = [...endpointHolds].filter(([, until]) => until > clock.monotonic());
      return new Map(lasting.map(([endpoint, until]) => [endpoint, epochMs(Math.ceil(until + offsetMs))]));
    },
    hold: (destination, endpoint, until): void => {
      hold(destination, endpoint, plusMs(clock.monotonic(), until - clock.wall()));
      onHold(destination);
    },
    adopt: (destination, others): void => {
      const endpointHolds = holds.get(destination);
      for (const [endpoint, until] of others) {
        const lastsUntil = plusMs(clock.monotonic(), until - clock.wall());
        if (lastsUntil > (endpointHolds?.get(endpoint) ?? 0)) hold(destination, endpoint, lastsUntil);
      }
    },
    standings: standings.of,
    replied: standings.replied,
    saturated: (destination) => {
      const bound = shareOfLimit(Math.max(MIN_OPEN_ATTEMPTS_BOUND, limitOf(destination)), share());
      return openAttempts.atLeast(bound, destination);
    },
    send: (request, to, onReply): void => {
      openAttempts.count(to, 1);
      sendRequest(request, sending, (reply) => {
        openAttempts.count(to, -1);
        onReply(reply);
      });
    },
    keep: (isNeeded): void => {
      const nowMs = clock.monotonic();
      for (const [destination, held] of holds) {
        const isOver = [...held.values()].every((until) => until <= nowMs);
        if (isOver && !isNeeded(destination)) holds.delete(destination);
      }
      standings.keep(isNeeded);
    },
    remember: () => ({
      holds: [...holds].map(([destination, held]) => [destination, [...held]]),
      standings: standings.remember(),
    }),
  };
}

/** An endpoint to which a request is sent, and the destination for which it is sent. */
interface AttemptedEndpoint {
  readonly destination: DestinationId;
  readonly endpoint: EndpointId;
}

interface OpenAttempts {
  /** Counts one more or one fewer open attempt. */
  count(at: AttemptedEndpoint, step: 1 | -1): void;
  /** The endpoints of a destination with at least `bound` open attempts. */
  atLeast(bound: number, destination: DestinationId): ReadonlySet<EndpointId>;
}

function createOpenAttempts(): OpenAttempts {
  const open = new Map<DestinationId, Map<EndpointId, number>>();
  return {
    count: ({ destination, endpoint }, step): void => {
      const counts = open.get(destination) ?? new Map<EndpointId, number>();
      open.set(destination, counts);
      const attempts = (counts.get(endpoint) ?? 0) + step;
      if (attempts > 0) counts.set(endpoint, attempts);
      else counts.delete(endpoint);
      if (counts.size === 0) open.delete(destination);
    },
    atLeast: (bound, destination) => {
      let full: Set<EndpointId> | undefined;
      for (const [endpoint, attempts] of open.get(destination) ?? []) {
        if (attempts >= bound) full = (full ?? new Set()).add(endpoint);
      }
      return full ?? NO_ENDPOINTS;
    },
  };
}

interface EndpointStandings {
  readonly of: (destination: DestinationId) => ReadonlyMap<EndpointId, Standing>;
  /** To be called with each reply to a message. */
  readonly replied: (destination: DestinationId, endpoint: EndpointId, heard: HeardReply) => void;
  /** Forgets all other destinations. */
  keep(isNeeded: (destination: DestinationId) => boolean): void;
  /** All that is known, for the relay that takes over. */
  remember(): RelayState["standings"];
}

/** `known`: the memory of the former relay. */
function createEndpointStandings(
  clock: Pick<WatchedClock, "wall" | "claimingSince">,
  known: RelayState["standings"] = [],
): EndpointStandings {
  const standings = new Map(known.map(([destination, byEndpoint]) => [destination, new Map(byEndpoint)]));
  let comparableSince = clock.claimingSince();

  /** Forgets all standings after a step of the clock: their instants cannot be compared with later ones. */
  function find(destination: DestinationId): Map<EndpointId, Standing> | undefined {
    const since = clock.claimingSince();
    if (since !== comparableSince) standings.clear();
    comparableSince = since;
    return standings.get(destination);
  }

  return {
    of: (destination) => find(destination) ?? NO_STANDINGS,
    replied: (destination, endpoint, heard): void => {
      const byEndpoint = find(destination) ?? new Map<EndpointId, Standing>();
      const before = byEndpoint.get(endpoint) ?? NO_STANDING;
      const after = afterReply(before, heard, clock.wall());
      if (after !== before) standings.set(destination, byEndpoint.set(endpoint, after));
    },
    keep: (isNeeded): void => {
      for (const destination of standings.keys()) if (!isNeeded(destination)) standings.delete(destination);
    },
    remember: () => [...standings].map(([destination, byEndpoint]) => [destination, [...byEndpoint]]),
  };
}

export interface LocalStreaks {
  of(delivery: DeliveryId): number;
  /** To be called when a further round had only local faults. */
  grow(delivery: DeliveryId): void;
  /** To be called when a round had a result that is no local fault. */
  end(delivery: DeliveryId): void;
  /** All streaks, for the relay that takes over. */
  remember(): RelayState["localStreaks"];
}

export function createLocalStreaks(known: RelayState["localStreaks"] = []): LocalStreaks {
  const streaks = new Map(known);
  return {
    of: (delivery) => streaks.get(delivery) ?? 0,
    grow: (delivery): void => {
      streaks.set(delivery, (streaks.get(delivery) ?? 0) + 1);
      const [oldest] = streaks.keys();
      if (streaks.size > MAX_LOCAL_STREAKS && oldest !== undefined) streaks.delete(oldest);
    },
    end: (delivery): void => {
      streaks.delete(delivery);
    },
    remember: () => [...streaks],
  };
}
