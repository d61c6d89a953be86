// The settings as the host gives them: who sends, who receives, and by which numbers.
// The store holds none of it; those in force at the time of an attempt count (decision: settings).

import type { DestinationId, SourceId } from "../ids.js";
import type { RateLimit } from "../intake/rate-limit.js";
import type { RetryPolicy } from "../retry/retry-policy.js";
import type { Secret } from "./secret.js";

export interface Workspace {
  readonly sources: readonly Source[];
  readonly destinations: readonly Destination[];
  readonly delivery: DeliveryPolicy;
  readonly retention: Retention;
}

/** Where calls come from: a site, an app, a service, known by its write key. */
export interface Source {
  readonly id: SourceId;
  readonly name: string;
  /** The key, or `sha256:` and its digest in hexadecimal. */
  readonly writeKey: Secret;
  /** How many calls it may make; any number if absent. */
  readonly rateLimit?: RateLimit;
}

/** Who receives: one to five endpoints, of which one must take each message (spec, webhook destination §4). */
export interface Destination {
  readonly id: DestinationId;
  /** The name that a call's integrations object uses, exact case; two destinations may share one. */
  readonly name: string;
  /** Off: new calls are filtered, what waits is held, windows run on. */
  readonly enabled: boolean;
  /** Paused: accepts and holds. */
  readonly paused: boolean;
  /** Whether it takes calls whose own time lies more than `historicalAfterMs` before their receipt. */
  readonly acceptsHistorical: boolean;
  readonly sources: readonly Connection[];
  readonly endpoints: readonly Endpoint[];
  /** Newest first; the newest signs. None: no signature. */
  readonly secrets: readonly Secret[];
  /** Signs by Standard Webhooks as well, with every secret: freshness, and rotation without a gap. Off if absent. */
  readonly standardWebhooks?: boolean;
  /** How many deliveries may be begun, retries included; as many as there is room for if absent. */
  readonly rateLimit?: RateLimit;
}

export interface Connection {
  readonly source: SourceId;
  /** Only cloud mode is offered; device mode is refused by `checkWorkspace` (spec, webhook destination §1). */
  readonly mode: "cloud" | "device";
}

export interface Endpoint {
  /** Full URL, http or https. */
  readonly url: string;
  /** Static headers, sent as they are, in this order. */
  readonly headers: readonly StaticHeader[];
}

/** Values are often credentials: one that must not be seen is a secret. */
export type StaticHeader = readonly [name: string, value: string | Secret];

/** A header as it is sent. */
export type Header = readonly [name: string, value: string];

/** The numbers of delivery. Durations in milliseconds. */
export interface DeliveryPolicy extends RetryPolicy {
  /** The receiver's time, from before DNS to the status line. */
  readonly timeoutMs: number;
  /** How long a claim holds a delivery; at least `timeoutMs` + 5,000. */
  readonly leaseMs: number;
  /** A call older than this at its receipt is historical. */
  readonly historicalAfterMs: number;
}

/** How long finished deliveries are kept. Hours. */
export interface Retention {
  readonly deliveredHours: number;
  readonly deadHours: number;
}
